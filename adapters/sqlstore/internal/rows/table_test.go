package rows

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// kinds is a row with a column of each kind.
type kinds struct {
	id      string
	token   money.Token
	amount  money.Amount
	height  uint64
	on      bool
	bytes   []byte
	at, end time.Time
	chosen  fairness.ClientSource
	account ledger.Kind
	further string
	pair    string
}

var everyKind = table("every_kind", "k",
	text("id", func(k *kinds) *string { return &k.id }).keyed(),
	text("token", func(k *kinds) *money.Token { return &k.token }).keyed(),
	integer("amount", func(k *kinds) *money.Amount { return &k.amount }),
	bits("height", func(k *kinds) *uint64 { return &k.height }),
	boolean("is_on", func(k *kinds) *bool { return &k.on }),
	bytes("bytes", func(k *kinds) *[]byte { return &k.bytes }),
	moment("at", func(k *kinds) *time.Time { return &k.at }),
	optional("ends_at", func(k *kinds) *time.Time { return &k.end }),
	source("chosen_by", func(k *kinds) *fairness.ClientSource { return &k.chosen }),
	accountKind("account", func(k *kinds) *ledger.Kind { return &k.account }),
	id("pair_id", func(k *kinds) *string { return &k.pair }),
	text("further", func(k *kinds) *string { return &k.further }).elsewhere("o.further"),
)

// answered is a row of an answer that gives columns what was sent of them.
type answered []any

func (a answered) Scan(into ...any) error {
	if len(into) != len(a) {
		return errors.New("another number of columns")
	}
	for i, place := range into {
		if scanner, ok := place.(interface{ Scan(any) error }); ok {
			if err := scanner.Scan(a[i]); err != nil {
				return err
			}
			continue
		}
		field := reflect.ValueOf(place).Elem()
		field.Set(reflect.ValueOf(a[i]).Convert(field.Type()))
	}
	return nil
}

func TestWhatIsSentOfARowIsReadBackIntoIt(t *testing.T) {
	t.Parallel()
	full := kinds{
		id: "one", token: money.SOL, amount: 7, height: 1<<63 + 1, on: true, bytes: []byte{1, 2}, at: time.UnixMicro(5).UTC(),
		end: time.UnixMicro(9).UTC(), chosen: fairness.FromPlayer, account: ledger.House, further: "of another table", pair: "01993b3a-2c00-7abc-8def-00123456789a",
	}
	bare := kinds{id: "two", bytes: nil, at: time.UnixMicro(1).UTC(), account: ledger.Hold}
	for _, want := range []kinds{full, bare} {
		sent := everyKind.insert("").row(&want)
		if sent[5] == nil { // a driver reads null bytes as none
			sent[5] = []byte(nil)
		}
		got, err := everyKind.Scan(append(answered(sent), want.further))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v was read back as %+v, %v", want, got, err)
		}
	}
	if sent := everyKind.insert("").row(&bare); sent[5] != nil || sent[7] != nil {
		t.Errorf("no bytes and no end are sent as %v and %v, not as null", sent[5], sent[7])
	}
}

func TestStatementsAreMadeOfTheColumns(t *testing.T) {
	t.Parallel()
	row := kinds{id: "one", token: money.SOL, amount: 7, on: true}
	change := everyKind.update(update{set: []string{"is_on", "amount"}, fixed: "at = 0", where: "k.was = s.was", more: []string{"was:int"}})
	if sent := change.row(&row, 3); !reflect.DeepEqual(sent, []any{"one", string(money.SOL), true, int64(7), 3}) {
		t.Errorf("a change sends %v", sent)
	}
	for _, want := range []struct{ got, text string }{
		{everyKind.Select(), "SELECT k.id, k.token, k.amount, k.height, k.is_on, k.bytes, k.at, k.ends_at, k.chosen_by, k.account, " +
			"k.pair_id, o.further FROM every_kind AS k"},
		{everyKind.only("at", "id").as("n").Columns(), "n.at, n.id"},
		{everyKind.only("id", "amount").Insertion(), "INSERT INTO every_kind (id, amount) VALUES (?, ?) "},
		{everyKind.Upsert("amount", "at"), "ON CONFLICT (id, token) DO UPDATE SET amount = excluded.amount, at = excluded.at"},
		{strings.Join(sent(everyKind.only("id", "amount", "is_on", "bytes").columns), " "), "id amount:int is_on:bool bytes:bytes"},
	} {
		if !strings.HasSuffix(want.got, want.text) {
			t.Errorf("%q doesn't end with %q", want.got, want.text)
		}
	}
}

func TestStoredTextsThatMeanNothingAreErrors(t *testing.T) {
	t.Parallel()
	for _, column := range []string{"chosen_by", "account", "height", "at"} {
		if _, err := everyKind.only(column).Scan(answered{"nobody"}); err == nil {
			t.Errorf("%s took %q", column, "nobody")
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a table has a column that isn't there")
		}
	}()
	everyKind.only("nothing")
}
