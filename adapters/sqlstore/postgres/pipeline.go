package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/casino-service/casino/adapters/sqlstore"
)

var _ sqlstore.Pipeliner = dialect{}

// Pipeliner is a connection made through Options.Through that takes several
// statements at once itself. One without this method must be the driver's own.
type Pipeliner interface {
	Pipeline(ctx context.Context, statements []sqlstore.Statement) (failed int, err error)
}

// Pipeline implements sqlstore.Pipeliner.
func (dialect) Pipeline(ctx context.Context, connection any, statements []sqlstore.Statement) (failed int, err error) {
	if own, ok := connection.(Pipeliner); ok {
		return own.Pipeline(ctx, statements)
	}
	return Pipeline(ctx, connection, statements)
}

// Pipeline sends all statements before it reads the first answer, in the
// extended protocol's pipeline mode, and reads the answers in order. connection
// is the driver's own.
func Pipeline(ctx context.Context, connection any, statements []sqlstore.Statement) (failed int, err error) {
	native, ok := connection.(*stdlib.Conn)
	if !ok {
		return 0, fmt.Errorf("postgres: a connection of type %T takes no pipeline", connection)
	}
	var batch pgx.Batch
	for _, s := range statements {
		batch.Queue(s.Text, s.Parameters...)
	}
	answers := native.Conn().SendBatch(ctx, &batch)
	for i, s := range statements {
		if err := answer(answers, s); err != nil {
			_ = answers.Close() // says the same again, or less
			return i, err
		}
	}
	return len(statements) - 1, answers.Close()
}

func answer(answers pgx.BatchResults, s sqlstore.Statement) error {
	if s.Row == nil {
		done, err := answers.Exec()
		if err == nil {
			s.Written(done.RowsAffected())
		}
		return err
	}
	rows, err := answers.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := s.Row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
