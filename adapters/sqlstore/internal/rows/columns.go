package rows

import (
	"database/sql"
	"fmt"
	"time"

	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
)

// The columns of a table are made by the functions below from the place of a field:
// what is read from a column and what is written into it is the same field.

func text[T any, S ~string](name string, at func(*T) *S) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Text},
		place:  func(v *T) any { return at(v) },
		value:  func(v *T) any { return string(*at(v)) },
	}
}

// orNull is a text that is null where it is empty. It is read only where it isn't.
func orNull[T any, S ~string](name string, at func(*T) *S) column[T] {
	c := text(name, at)
	c.value = func(v *T) any {
		if s := string(*at(v)); s != "" {
			return s
		}
		return nil
	}
	return c
}

// id is the id of a thing of our own that is kept as a UUID, null where there is none.
func id[T any](name string, at func(*T) *string) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.UUID},
		place:  func(v *T) any { return (*ID)(at(v)) },
		value: func(v *T) any {
			if s := *at(v); s != "" {
				return s
			}
			return nil
		},
	}
}

func integer[T any, N ~int | ~int64 | ~uint8](name string, at func(*T) *N) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Integer},
		place:  func(v *T) any { return at(v) },
		value:  func(v *T) any { return int64(*at(v)) },
	}
}

// bits is an unsigned number, kept as the signed one of the same bits.
func bits[T any](name string, at func(*T) *uint64) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Integer},
		place:  func(v *T) any { return (*unsigned)(at(v)) },
		value:  func(v *T) any { return int64(*at(v)) },
	}
}

func boolean[T any](name string, at func(*T) *bool) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Bool},
		place:  func(v *T) any { return at(v) },
		value:  func(v *T) any { return *at(v) },
	}
}

// bytes are null where they are nil.
func bytes[T any](name string, at func(*T) *[]byte) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Bytes},
		place:  func(v *T) any { return at(v) },
		value: func(v *T) any {
			if b := *at(v); b != nil {
				return b
			}
			return nil
		},
	}
}

// raw are bytes that are read where the driver has them, so that they are good until
// the next row only.
func raw[T any](name string, at func(*T) *[]byte) column[T] {
	c := bytes(name, at)
	c.place = func(v *T) any { return (*sql.RawBytes)(at(v)) }
	return c
}

// moment is a time in microseconds.
func moment[T any](name string, at func(*T) *time.Time) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Integer},
		place:  func(v *T) any { return (*instant)(at(v)) },
		value:  func(v *T) any { return db.Micros(*at(v)) },
	}
}

// optional is a time in microseconds that is null where it is zero.
func optional[T any](name string, at func(*T) *time.Time) column[T] {
	c := moment(name, at)
	c.value = func(v *T) any { return db.MicrosOrNil(*at(v)) }
	return c
}

// orZero is a time in microseconds that is 0 where it is zero: for keys, which can't be
// null.
func orZero[T any](name string, at func(*T) *time.Time) column[T] {
	c := moment(name, at)
	c.place = func(v *T) any { return (*instantOrZero)(at(v)) }
	c.value = func(v *T) any {
		if at(v).IsZero() {
			return int64(0)
		}
		return db.Micros(*at(v))
	}
	return c
}

// high and low are the two parts of a total, which is only ever added to.
func high[T any](name string, of func(*T) money.Total) column[T] {
	return column[T]{Column: db.Column{Name: name, Type: db.Integer}, value: func(v *T) any {
		hi, _ := of(v).Parts()
		return hi
	}}
}

func low[T any](name string, of func(*T) money.Total) column[T] {
	return column[T]{Column: db.Column{Name: name, Type: db.Integer}, value: func(v *T) any {
		_, lo := of(v).Parts()
		return lo
	}}
}

// value is a config or an outcome of a game.
func value[T any](name string, at func(*T) *game.Value) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.JSON},
		place:  func(v *T) any { return (*wired)(at(v)) },
		value:  func(v *T) any { return string(wire.EncodeValue(*at(v))) },
	}
}

// orAbsent is a value that is an empty text where it is absent: that takes a byte.
func orAbsent[T any](name string, at func(*T) *game.Value) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Text},
		place:  func(v *T) any { return (*wiredOrAbsent)(at(v)) },
		value: func(v *T) any {
			if at(v).Kind() == game.Absent {
				return ""
			}
			return string(wire.EncodeValue(*at(v)))
		},
	}
}

// source tells who chose a client seed.
func source[T any](name string, at func(*T) *fairness.ClientSource) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Text},
		place:  func(v *T) any { return (*clientSource)(at(v)) },
		value:  func(v *T) any { return (*at(v)).String() },
	}
}

// accountKind is the kind of an account.
func accountKind[T any](name string, at func(*T) *ledger.Kind) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Text},
		place:  func(v *T) any { return (*kindOfAccount)(at(v)) },
		value:  func(v *T) any { return at(v).String() },
	}
}

// hash is the hash of a block.
func hash[T any](name string, at func(*T) *hashchain.Hash) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Text},
		place:  func(v *T) any { return (*blockHash)(at(v)) },
		value:  func(v *T) any { return at(v).String() },
	}
}

// single is the key of a table that has one row.
func single[T any](name string) column[T] {
	return column[T]{
		Column: db.Column{Name: name, Type: db.Integer}, key: true,
		place: func(*T) any { return new(int64) },
		value: func(*T) any { return int64(1) },
	}
}

// keyed says that the column is part of the table's key.
func (c column[T]) keyed() column[T] {
	c.key = true
	return c
}

// readAs says by which expression the column is read.
func (c column[T]) readAs(expression string) column[T] {
	c.read = expression
	return c
}

// elsewhere says that the column is read by an expression from somewhere else and
// never written.
func (c column[T]) elsewhere(expression string) column[T] {
	c.read, c.value = expression, nil
	return c
}

// ID reads an id, whether it is kept as a UUID or as text; null is empty.
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

// instant reads a time.
type instant time.Time

// ScanInteger implements db.IntegerScanner.
func (i *instant) ScanInteger(micros int64) error {
	*i = instant(db.Moment(micros))
	return nil
}

// Scan implements sql.Scanner.
func (i *instant) Scan(from any) error {
	switch micros := from.(type) {
	case int64:
		*i = instant(db.Moment(micros))
	case nil:
		*i = instant{}
	default:
		return fmt.Errorf("a time is stored as %T", from)
	}
	return nil
}

// instantOrZero reads a time that is kept as 0 where it is zero.
type instantOrZero time.Time

// ScanInteger implements db.IntegerScanner.
func (i *instantOrZero) ScanInteger(micros int64) error {
	*i = instantOrZero{}
	if micros != 0 {
		*i = instantOrZero(db.Moment(micros))
	}
	return nil
}

// Scan implements sql.Scanner.
func (i *instantOrZero) Scan(from any) error {
	micros, ok := from.(int64)
	if !ok {
		return fmt.Errorf("a time is stored as %T", from)
	}
	return i.ScanInteger(micros)
}

// unsigned reads a number that is stored as the signed one of the same bits.
type unsigned uint64

// ScanInteger implements db.IntegerScanner.
func (u *unsigned) ScanInteger(v int64) error {
	*u = unsigned(v)
	return nil
}

// Scan implements sql.Scanner.
func (u *unsigned) Scan(from any) error {
	signed, ok := from.(int64)
	if !ok {
		return fmt.Errorf("a number is stored as %T", from)
	}
	*u = unsigned(signed)
	return nil
}

// wired reads a value of a game.
type wired game.Value

// Scan implements sql.Scanner.
func (w *wired) Scan(from any) error {
	read, err := textOf(from)
	if err != nil {
		return err
	}
	return w.ScanText(read)
}

// ScanText implements db.TextScanner.
func (w *wired) ScanText(read string) error {
	decoded, err := wire.DecodeValue([]byte(read))
	*w = wired(decoded)
	return err
}

// wiredOrAbsent reads a value that is kept as an empty text where it is absent.
type wiredOrAbsent game.Value

// Scan implements sql.Scanner.
func (w *wiredOrAbsent) Scan(from any) error {
	read, err := textOf(from)
	if err != nil {
		return err
	}
	return w.ScanText(read)
}

// ScanText implements db.TextScanner.
func (w *wiredOrAbsent) ScanText(read string) error {
	if read == "" {
		*w = wiredOrAbsent{}
		return nil
	}
	return (*wired)(w).ScanText(read)
}

// kindOfAccount reads the kind of an account.
type kindOfAccount ledger.Kind

// Scan implements sql.Scanner.
func (k *kindOfAccount) Scan(from any) error {
	read, err := textOf(from)
	if err != nil {
		return err
	}
	return k.ScanText(read)
}

// ScanText implements db.TextScanner.
func (k *kindOfAccount) ScanText(read string) error {
	for _, kind := range ledger.Kinds() {
		if kind.String() == read {
			*k = kindOfAccount(kind)
			return nil
		}
	}
	return fmt.Errorf("an account of kind %q is stored", read)
}

// blockHash reads the hash of a block.
type blockHash hashchain.Hash

// Scan implements sql.Scanner.
func (h *blockHash) Scan(from any) error {
	read, err := textOf(from)
	if err != nil {
		return err
	}
	return h.ScanText(read)
}

// ScanText implements db.TextScanner.
func (h *blockHash) ScanText(read string) error {
	parsed, err := hashchain.ParseHash(read)
	*h = blockHash(parsed)
	return err
}

// clientSource reads who chose a client seed.
type clientSource fairness.ClientSource

// Scan implements sql.Scanner.
func (c *clientSource) Scan(from any) error {
	read, err := textOf(from)
	if err != nil {
		return err
	}
	return c.ScanText(read)
}

// ScanText implements db.TextScanner.
func (c *clientSource) ScanText(read string) error {
	known, ok := fairness.ParseClientSource(read)
	if !ok {
		return fmt.Errorf("a client source %q is stored", read)
	}
	*c = clientSource(known)
	return nil
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
