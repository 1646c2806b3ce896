package schema

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/uptrace/bun/migrate"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/fault"
)

// namedMax is how many foreign objects an error names.
const namedMax = 10

// lockTable is bun's table of locks, made together with migrationTable.
const lockTable = "bun_migration_locks"

// function is a kind of object that counts only if a migration would replace it.
const function = "function"

// making matches the lines of a migration that make an object under a literal name.
var making = regexp.MustCompile(`^CREATE (?:OR REPLACE )?(TABLE|VIEW|FUNCTION)(?: IF NOT EXISTS)? (\w+)`)

// thing is an object in a schema.
type thing struct{ kind, name string }

func (t thing) String() string { return t.kind + " " + t.name }

// madeBy reads from the files what each migration makes, by its number.
func madeBy(files fs.FS, migrations *migrate.Migrations) (map[string][]thing, error) {
	made := map[string][]thing{}
	for _, m := range migrations.Sorted() {
		content, err := fs.ReadFile(files, m.String()+".tx.up.sql")
		if err != nil {
			return nil, db.Wrap("migrations", err)
		}
		for line := range strings.Lines(string(content)) {
			if !strings.HasPrefix(line, "CREATE ") {
				continue // spares the expression nearly every line, at every start
			}
			if found := making.FindStringSubmatch(line); found != nil {
				made[m.Name] = append(made[m.Name], thing{strings.ToLower(found[1]), found[2]})
			}
		}
	}
	return made, nil
}

// CheckForeign returns a fault of kind InvalidState that names foreign tables, views or types
// which Migrate would conflict with. Before the first migration of the casino, these are all that
// exist. After it the schema is the casino's, and only names that a missing migration makes
// conflict. Members of extensions are ignored.
func (s *Schema) CheckForeign(ctx context.Context) error {
	held, err := s.held(ctx) // before the list: another process may be migrating
	if err != nil {
		return err
	}
	all, err := s.MigrationStatus(ctx)
	if err != nil {
		return err
	}
	var missing, unknown []string
	for _, m := range all {
		switch {
		case m.Unknown:
			unknown = append(unknown, m.Name)
		case m.AppliedAt.IsZero():
			missing = append(missing, m.Name)
		}
	}
	switch begun := len(missing)+len(unknown) < len(all); {
	case len(missing) == 0:
		return nil
	case len(unknown) > 0 && begun:
		return fault.New(fault.InvalidState, "the schema has migrations of a newer version: %s. Run that version", strings.Join(unknown, ", "))
	case len(unknown) > 0:
		return refused([]thing{{"the migrations", strings.Join(unknown, ", ")}})
	default:
		return refused(s.foreign(held, missing, begun))
	}
}

// held returns the objects in the schema, without the tables of migrations.
func (s *Schema) held(ctx context.Context) (held []thing, err error) {
	err = s.db.Rows(ctx, "look for foreign tables", s.db.Dialect.Holds(), nil, func(row *sql.Rows) error {
		var t thing
		err := row.Scan(&t.kind, &t.name)
		held = append(held, t)
		return err
	})
	return held, err
}

// foreign returns the held objects that conflict with the missing migrations. The first of those
// may have been committed without being recorded.
func (s *Schema) foreign(held []thing, missing []string, begun bool) []thing {
	listed := slices.Contains(held, thing{"table", migrationTable})
	next := s.made[number(missing[0])]
	if listed && !slices.ContainsFunc(next, func(t thing) bool { return !slices.Contains(held, t) }) {
		missing, begun = missing[1:], true
	}
	var coming []string
	for _, m := range missing {
		for _, t := range s.made[number(m)] {
			coming = append(coming, t.name)
		}
	}
	return slices.DeleteFunc(held, func(t thing) bool {
		if t.name == migrationTable || t.name == lockTable {
			return listed
		}
		return (begun || t.kind == function) && !slices.Contains(coming, t.name)
	})
}

// number returns a migration's number, its name for bun, from its full name.
func number(migration string) string {
	name, _, _ := strings.Cut(migration, "_")
	return name
}

// refused returns a fault that names foreign objects, nil if there are none.
func refused(foreign []thing) error {
	if len(foreign) == 0 {
		return nil
	}
	var names []string
	for _, t := range foreign[:min(len(foreign), namedMax)] {
		names = append(names, t.String())
	}
	if more := len(foreign) - namedMax; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return fault.New(fault.InvalidState,
		"the schema holds foreign objects, and nothing was created: %s. Give the casino its own database or schema",
		strings.Join(names, ", "))
}
