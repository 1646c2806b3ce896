package postgres

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/casino-service/casino/adapters/sqlstore"
)

// scratch is where the arrays of a pipeline are encoded, in the server's binary
// form of arrays (array_send): the number of dimensions, whether there are nulls,
// the type of the elements, their number, the first index, and each element after
// its length. The driver's own way there makes a value of any type of each element
// first, and grows its buffers from nothing for each batch: a quarter of all
// memory that a bet took.
type scratch struct {
	encoded []byte
	// ends are the ends of the arrays in encoded.
	ends []int
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

func (s *scratch) reset() { s.encoded, s.ends = s.encoded[:0], s.ends[:0] }

// elementOf are the types of the elements of arrays, as arrayOf names them.
var elementOf = map[sqlstore.Type]uint32{
	sqlstore.Text: pgtype.TextOID, sqlstore.Integer: pgtype.Int8OID, sqlstore.Bytes: pgtype.ByteaOID,
	sqlstore.Bool: pgtype.BoolOID, sqlstore.JSON: pgtype.JSONOID, sqlstore.UUID: pgtype.UUIDOID,
}

// encode adds one array for each column.
func (s *scratch) encode(columns []sqlstore.Column, rows [][]any) error {
	for i, column := range columns {
		if err := s.array(column.Type, rows, i); err != nil {
			return fmt.Errorf("postgres: column %s: %w", column.Name, err)
		}
		s.ends = append(s.ends, len(s.encoded))
	}
	return nil
}

// values are the arrays in the order they were encoded.
func (s *scratch) values() [][]byte {
	all := make([][]byte, len(s.ends))
	begin := 0
	for i, end := range s.ends {
		all[i] = s.encoded[begin:end]
		begin = end
	}
	return all
}

func (s *scratch) array(of sqlstore.Type, rows [][]any, column int) error {
	s.number(1)
	nulls := len(s.encoded)
	s.number(0)
	s.number(elementOf[of])
	s.number(uint32(len(rows)))
	s.number(1)
	for _, row := range rows {
		switch value := row[column].(type) {
		case string:
			if of == sqlstore.UUID {
				if !sqlstore.IsID(value) {
					s.null(nulls)
					continue
				}
				id := sqlstore.ID(value)
				s.number(uint32(len(id)))
				s.encoded = append(s.encoded, id[:]...)
				continue
			}
			s.number(uint32(len(value)))
			s.encoded = append(s.encoded, value...)
		case []byte:
			s.number(uint32(len(value)))
			s.encoded = append(s.encoded, value...)
		case int64:
			s.integer(value)
		case int:
			s.integer(int64(value))
		case bool:
			s.number(1)
			s.encoded = append(s.encoded, 0)
			if value {
				s.encoded[len(s.encoded)-1] = 1
			}
		case nil:
			s.null(nulls)
		default:
			return fmt.Errorf("a value of type %T", value)
		}
	}
	return nil
}

// null adds a null to an array that says at a place whether it has any.
func (s *scratch) null(nulls int) {
	s.number(1<<32 - 1)
	s.encoded[nulls+3] = 1
}

func (s *scratch) integer(value int64) {
	s.number(8)
	s.encoded = binary.BigEndian.AppendUint64(s.encoded, uint64(value))
}

func (s *scratch) number(n uint32) { s.encoded = binary.BigEndian.AppendUint32(s.encoded, n) }
