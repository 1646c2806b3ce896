package table

import (
	"database/sql"
	"fmt"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun/schema"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/stream"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
)

// codec says how a field is stored in its column.
type codec struct {
	kind db.Type
	// value returns the value to write for a field, nil for null.
	value func(reflect.Value) any
	// place returns the destination for scanning a field.
	place func(reflect.Value) any
	// read is the expression that reads the column, with @ for the table's alias; empty for the
	// column itself.
	read string
}

// The column types that tags name where the type of the field isn't enough.
const (
	typeUUID = "uuid" // an id or the key of a wallet; null for an empty one
	typeName = "name" // the key of a name; its kind is the column's name
	typeText = "text" // a game's value, stored as an empty text if it is absent
)

// codecs maps field types to codecs.
var codecs = map[reflect.Type]codec{
	reflect.TypeFor[fairness.ClientSource](): parsed(fairness.ClientSource.String, func(text string) (fairness.ClientSource, error) {
		known, ok := fairness.ParseClientSource(text)
		return known, Unknown(ok, "a client source", text)
	}),
	reflect.TypeFor[ledger.Kind](): parsed(ledger.Kind.String, func(text string) (ledger.Kind, error) {
		for _, kind := range ledger.Kinds() {
			if kind.String() == text {
				return kind, nil
			}
		}
		return 0, Unknown(false, "an account of kind", text)
	}),
	reflect.TypeFor[hashchain.Hash](): parsed(hashchain.Hash.String, hashchain.ParseHash),
	reflect.TypeFor[stream.Cursor]():  parsed(stream.Cursor.String, stream.ParseCursor),
	reflect.TypeFor[[]event.Field](): parsed(func(all []event.Field) string { return string(wire.EncodeFields(all)) },
		func(text string) ([]event.Field, error) { return wire.DecodeFields([]byte(text)) }),
	reflect.TypeFor[[]alarm.Fact](): parsed(func(all []alarm.Fact) string {
		fields := make([]event.Field, len(all))
		for i, fact := range all {
			fields[i] = event.Field(fact)
		}
		return string(wire.EncodeFields(fields))
	}, func(text string) (all []alarm.Fact, err error) {
		fields, err := wire.DecodeFields([]byte(text))
		for _, field := range fields {
			all = append(all, alarm.Fact(field))
		}
		return all, err
	}),
	reflect.TypeFor[[]netip.Prefix](): words(netip.Prefix.String, netip.ParsePrefix),
	reflect.TypeFor[[]stream.Type]():  words(func(t stream.Type) string { return string(t) }, func(text string) (stream.Type, error) { return stream.Type(text), nil }),
	reflect.TypeFor[[]treasury.Payment](): parsed(func(all []treasury.Payment) string {
		lines := make([]string, len(all))
		for i, p := range all {
			lines[i] = fmt.Sprintf("%s %d %s", p.Token, p.Amount, p.Destination)
		}
		return strings.Join(lines, "\n")
	}, parsePayments),
	reflect.TypeFor[uint64](): number(func(v *uint64) any { return int64(*v) }, func(v int64) uint64 { return uint64(v) }),
	// Raw bytes are valid only until the next row is scanned.
	reflect.TypeFor[sql.RawBytes](): bytesCodec,
	reflect.TypeFor[[]byte]():       bytesCodec,
	// The key of a table with one row.
	reflect.TypeFor[Single](): {kind: db.Integer, value: func(reflect.Value) any { return int64(1) }, place: itself},
}

// Single is the key of a table with one row.
type Single int64

var bytesCodec = codec{kind: db.Bytes, value: func(f reflect.Value) any {
	if f.IsNil() {
		return nil
	}
	return f.Bytes()
}, place: itself}

// itself returns the destination of a field that database/sql fills.
func itself(f reflect.Value) any { return f.Addr().Interface() }

// storePackages is the path prefix of the packages with the store's models.
var storePackages = strings.TrimSuffix(reflect.TypeFor[Single]().PkgPath(), "table")

// Fields makes bun store the fields of the store's models with their codecs.
func Fields(d db.Dialect, table *schema.Table) {
	if !strings.HasPrefix(table.Type.PkgPath(), storePackages) {
		return
	}
	for _, f := range table.FieldMap {
		c, scan := codecOf(f), f.Scan
		f.NullZero = false // the codec decides which zeros are null
		f.Append = func(gen schema.QueryGen, b []byte, v reflect.Value) []byte {
			value := c.value(v)
			if id, isText := value.(string); isText && c.kind == db.UUID {
				value = d.ID(id)
			}
			return gen.Append(b, value)
		}
		f.Scan = func(v reflect.Value, from any) error {
			if place, ok := c.place(v).(sql.Scanner); ok {
				return place.Scan(from)
			}
			return scan(v, from)
		}
	}
}

// codecOf returns the codec of a model's field.
func codecOf(f *schema.Field) codec {
	of := f.StructField.Type
	as, _ := f.Tag.Option("type")
	zeroIsNull := f.Tag.HasOption("nullzero")
	switch {
	case of == reflect.TypeFor[wallet.Address]() && as == typeUUID:
		return codec{
			kind: db.UUID, value: func(f reflect.Value) any { return WalletKey(wallet.Address(f.String())) }, place: itself,
			read: "coalesce((SELECT o.wallet FROM players AS o WHERE o.key = @." + f.Name + "), '')",
		}
	case as == typeUUID:
		return codec{kind: db.UUID, value: textOrNull, place: func(f reflect.Value) any { return (*ID)(f.Addr().Interface().(*string)) }}
	case as == typeName:
		return codec{
			kind: db.Integer, value: func(v reflect.Value) any { return Name{nameKind(f.Name), v.String()}.Key() }, place: itself,
			read: "coalesce((SELECT n.name FROM names AS n WHERE n.key = @." + f.Name + "), '')",
		}
	case of == reflect.TypeFor[game.Value]():
		return gameValue(f, as == typeText)
	case of == reflect.TypeFor[time.Time]():
		return timeCodec(zeroIsNull, f.NotNull)
	}
	if known, ok := codecs[of]; ok {
		return known
	}
	switch of.Kind() {
	case reflect.String:
		if zeroIsNull {
			return codec{kind: db.Text, value: textOrNull, place: itself}
		}
		return codec{kind: db.Text, value: func(f reflect.Value) any { return f.String() }, place: itself}
	case reflect.Int, reflect.Int64:
		return codec{kind: db.Integer, value: func(f reflect.Value) any { return f.Int() }, place: itself}
	case reflect.Uint8:
		return codec{kind: db.Integer, value: func(f reflect.Value) any { return int64(f.Uint()) }, place: itself}
	case reflect.Bool:
		return codec{kind: db.Bool, value: func(f reflect.Value) any { return f.Bool() }, place: itself}
	}
	panic(fmt.Sprintf("rows: column %s of model %s is a %s, which no column has", f.Name, f.Table.TypeName, of))
}

func textOrNull(f reflect.Value) any {
	if f.Len() == 0 {
		return nil
	}
	return f.String()
}

// gameValue returns the codec of a game's config or outcome. It is JSON; an absent one is stored
// as one byte, or as an empty text if absentIsEmpty.
func gameValue(f *schema.Field, absentIsEmpty bool) codec {
	c := parsed(func(v game.Value) string {
		if absentIsEmpty && v.Kind() == game.Absent {
			return ""
		}
		return string(wire.EncodeValue(v))
	}, func(text string) (game.Value, error) {
		if absentIsEmpty && text == "" {
			return game.Value{}, nil
		}
		return wire.DecodeValue([]byte(text))
	})
	if !absentIsEmpty {
		c.kind, c.read = db.JSON, "CAST(@."+f.Name+" AS TEXT)"
	}
	return c
}

// timeCodec returns the codec of a time in microseconds. The zero time becomes null, or 0 in key
// columns; without either option it is never written.
func timeCodec(zeroIsNull, zeroIsZero bool) codec {
	return number(func(at *time.Time) any {
		switch {
		case at.IsZero() && zeroIsNull:
			return nil
		case at.IsZero() && zeroIsZero:
			return int64(0)
		}
		return db.Micros(*at)
	}, func(micros int64) time.Time {
		if micros == 0 && zeroIsZero {
			return time.Time{}
		}
		return db.Moment(micros)
	})
}

// parsed returns the codec of a value that is stored as text.
func parsed[T any](format func(T) string, parse func(string) (T, error)) codec {
	return codec{
		kind:  db.Text,
		value: func(f reflect.Value) any { return format(*f.Addr().Interface().(*T)) },
		place: func(f reflect.Value) any { return &textPlace[T]{f.Addr().Interface().(*T), parse} },
	}
}

// words returns the codec of values that are stored as texts separated by blanks.
func words[T any](format func(T) string, parse func(string) (T, error)) codec {
	return parsed(func(all []T) string {
		texts := make([]string, len(all))
		for i, one := range all {
			texts[i] = format(one)
		}
		return strings.Join(texts, " ")
	}, func(text string) (all []T, err error) {
		for _, word := range strings.Fields(text) {
			one, err := parse(word)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		return all, nil
	})
}

// number returns the codec of a value that is stored as an integer.
func number[T any](value func(*T) any, of func(int64) T) codec {
	return codec{
		kind:  db.Integer,
		value: func(f reflect.Value) any { return value(f.Addr().Interface().(*T)) },
		place: func(f reflect.Value) any { return &numberPlace[T]{f.Addr().Interface().(*T), of} },
	}
}

// textPlace reads a text into a value.
type textPlace[T any] struct {
	into  *T
	parse func(string) (T, error)
}

// Scan implements sql.Scanner.
func (p *textPlace[T]) Scan(from any) error {
	text, err := textOf(from)
	if err != nil {
		return err
	}
	*p.into, err = p.parse(text)
	return err
}

// numberPlace reads an integer into a value; null becomes zero.
type numberPlace[T any] struct {
	into *T
	of   func(int64) T
}

// Scan implements sql.Scanner.
func (p *numberPlace[T]) Scan(from any) error {
	switch v := from.(type) {
	case int64:
		*p.into = p.of(v)
	case nil:
		*p.into = *new(T)
	default:
		return fmt.Errorf("a number is stored as %T", from)
	}
	return nil
}

// ID reads an id that is stored as a UUID or as text; null becomes empty.
type ID string

// Scan implements sql.Scanner.
func (i *ID) Scan(from any) error {
	raw, isBytes := from.([]byte)
	switch {
	case from == nil:
		*i = ""
		return nil
	case isBytes && len(raw) == 16:
		*i = ID(db.TextOfID(raw))
		return nil
	}
	read, err := textOf(from)
	*i = ID(read)
	return err
}

func textOf(from any) (string, error) {
	switch read := from.(type) {
	case string:
		return read, nil
	case []byte:
		return string(read), nil
	}
	return "", fmt.Errorf("a text is stored as %T", from)
}

// Unknown returns an error that names an invalid stored text, unless known.
func Unknown(known bool, what, text string) error {
	if known {
		return nil
	}
	return fmt.Errorf("%s %q is stored", what, text)
}

// parsePayments parses one payment per line: token, amount, destination.
func parsePayments(text string) (all []treasury.Payment, err error) {
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(parts) != 3 {
			return nil, Unknown(false, "a payment of the treasury's", line)
		}
		amount, err := strconv.ParseInt(parts[1], 10, 64)
		if err != nil {
			return nil, Unknown(false, "a payment of the treasury's", line)
		}
		all = append(all, treasury.Payment{Token: money.Token(parts[0]), Amount: money.Amount(amount), Destination: parts[2]})
	}
	return all, nil
}
