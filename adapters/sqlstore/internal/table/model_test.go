package table

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// kinds is a row with a column of each kind.
type kinds struct {
	ID      string
	Token   money.Token
	Amount  money.Amount
	Height  uint64
	On      bool
	Bytes   []byte
	At, End time.Time
	Since   time.Time
	Chosen  fairness.ClientSource
	Account ledger.Kind
	Config  game.Value
	Actions game.Value
	Pair    string
	Further string
	Theory  int64
}

// kindsRow is the model of its table.
type kindsRow struct {
	bun.BaseModel `bun:"table:every_kind,alias:k"`
	One           Single `bun:",pk"`
	Kinds         struct {
		ID      string      `bun:",pk"`
		Token   money.Token `bun:",pk"`
		Amount  money.Amount
		Height  uint64
		On      bool `bun:"is_on"`
		Bytes   []byte
		At      time.Time
		End     time.Time `bun:"ends_at,nullzero"`
		Since   time.Time `bun:",notnull"`
		Chosen  fairness.ClientSource
		Account ledger.Kind
		Config  game.Value
		Actions game.Value `bun:",type:text"`
		Pair    string     `bun:",type:uuid"`
		Further string     `bun:",scanonly"`
		Theory  int64      `bun:"-"`
	} `bun:"embed:"`
}

var everyKind = ModelOf[kindsRow, kinds]().Reading("further", "o.further")

// answered is a row of a result with the values that were sent.
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
		ID: "one", Token: money.SOL, Amount: 7, Height: 1<<63 + 1, On: true, Bytes: []byte{1, 2}, At: time.UnixMicro(5).UTC(),
		End: time.UnixMicro(9).UTC(), Since: time.UnixMicro(8).UTC(), Chosen: fairness.FromPlayer, Account: ledger.House, Config: game.Int(7),
		Actions: game.List(game.Int(1)), Further: "of another table", Pair: "01993b3a-2c00-7abc-8def-00123456789a",
	}
	bare := kinds{ID: "two", At: time.UnixMicro(1).UTC(), Account: ledger.Hold, Config: game.Int(0)}
	for _, want := range []kinds{full, bare} {
		sent := everyKind.Insert("").Row(&want)
		if sent[5] == nil { // a driver reads null bytes as nil
			sent[5] = []byte(nil)
		}
		got, err := everyKind.Scan(append(answered(sent), want.Further))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v was read back as %+v, %v", want, got, err)
		}
	}
	sent := everyKind.Insert("").Row(&bare)
	for at, want := range map[int]any{5: nil, 7: nil, 8: int64(0), 12: "", 13: nil} {
		if sent[at] != want {
			t.Errorf("column %d of an empty row is sent as %v, not as %v", at, sent[at], want)
		}
	}
}

func TestARowOfAModelHasTheFieldsOfItsValue(t *testing.T) {
	t.Parallel()
	value := kinds{ID: "one", Amount: 7}
	row, ok := everyKind.Row(&value).(*kindsRow)
	if !ok || kinds(row.Kinds).ID != "one" || row.Kinds.Amount != 7 {
		t.Errorf("the model of %+v is %+v", value, row)
	}
}

func TestStatementsAreMadeOfTheColumns(t *testing.T) {
	t.Parallel()
	row := kinds{ID: "one", Token: money.SOL, Amount: 7, On: true}
	change := everyKind.Update(Update{Set: []string{"is_on", "amount"}, Fixed: "at = 0", Where: "k.was = s.was", More: []string{"was:int"}})
	if sent := change.Row(&row, 3); !reflect.DeepEqual(sent, []any{"one", string(money.SOL), true, int64(7), 3}) {
		t.Errorf("a change sends %v", sent)
	}
	for _, want := range []struct{ got, text string }{
		{everyKind.Select(), "SELECT k.id, k.token, k.amount, k.height, k.is_on, k.bytes, k.at, k.ends_at, k.since, k.chosen, k.account, " +
			"CAST(k.config AS TEXT) AS config, k.actions, k.pair, o.further AS further FROM every_kind AS k"},
		{everyKind.Only("at", "id").As("n").Columns(), "n.at, n.id"},
		{Excluded("amount", "at"), "amount = EXCLUDED.amount, at = EXCLUDED.at"},
		{strings.Join(sent(everyKind.Only("id", "amount", "is_on", "bytes", "pair", "config").columns), " "), "id amount:int is_on:bool bytes:bytes pair:uuid config:json"},
	} {
		if !strings.HasSuffix(want.got, want.text) {
			t.Errorf("%q doesn't end with %q", want.got, want.text)
		}
	}
}

func TestStoredTextsThatMeanNothingAreErrors(t *testing.T) {
	t.Parallel()
	for _, column := range []string{"chosen", "account", "height", "at"} {
		if _, err := everyKind.Only(column).Scan(answered{"nobody"}); err == nil {
			t.Errorf("%s took %q", column, "nobody")
		}
	}
}

func TestModelsThatDontFitStopTheProgram(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(){
		"a column that isn't there": func() { everyKind.Only("nothing") },
		"fields of another value":   func() { ModelOf[kindsRow, struct{ Other int }]() },
		"a field no column has": func() {
			type odd struct{ Of map[string]int }
			ModelOf[odd, odd]()
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s went through", name)
				}
			}()
			make()
		}()
	}
}

type cents int64

// order is a domain value, and orderRow its stored part.
type order struct {
	ID    string
	Price cents
	Tries struct {
		Count int
		Last  time.Time
	}
	Open bool
	Note string
}

type orderRow struct {
	ID     string
	Price  int64
	Tries  int
	Last   time.Time
	Worker string
	IsOpen bool
}

func TestMappingsCopyFieldsBothWays(t *testing.T) {
	t.Parallel()
	orders := MappingOf[orderRow, order](map[string]string{"Count": "Tries", "Open": "IsOpen", "Note": ""})
	row := orderRow{ID: "one", Price: 7, Tries: 3, Last: time.UnixMicro(5), Worker: "w", IsOpen: true}
	value := orders.Value(&row)
	if value.ID != "one" || value.Price != 7 || value.Tries.Count != 3 || !value.Tries.Last.Equal(row.Last) || !value.Open || value.Note != "" {
		t.Errorf("%+v became %+v", row, value)
	}
	value.Note = "left out"
	back := orderRow{Worker: "w"}
	if orders.Set(&back, &value); back != row {
		t.Errorf("%+v became %+v", value, back)
	}
}

func TestMappingsThatDontFitStopTheProgram(t *testing.T) {
	t.Parallel()
	for name, others := range map[string]map[string]string{
		"a field that no row has": {"Count": "Tries", "Open": "IsOpen"},
		"a field of another kind": {"Count": "ID", "Open": "IsOpen", "Note": ""},
		"a name of no field":      {"Count": "Tries", "Open": "IsOpen", "Note": "", "Nothing": ""},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s went through", name)
				}
			}()
			MappingOf[orderRow, order](others)
		}()
	}
}
