package sqlstore

import (
	"database/sql"
	"io/fs"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/casino-service/casino/adapters/sqlstore/internal/control"
	"github.com/casino-service/casino/adapters/sqlstore/internal/crash"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payouts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/registry"
	"github.com/casino-service/casino/adapters/sqlstore/internal/roles"
	"github.com/casino-service/casino/adapters/sqlstore/internal/table"
	"github.com/casino-service/casino/adapters/sqlstore/migrations"
)

// TestModelsHaveTheColumnsOfTheirTables checks that models describe every column of the migrated
// tables, and no other.
func TestModelsHaveTheColumnsOfTheirTables(t *testing.T) {
	t.Parallel()
	table.Models.Register((*control.OriginRow)(nil), (*roles.RoleListRow)(nil), (*registry.TokenFee)(nil), (*payouts.PayoutLease)(nil),
		(*crash.LeaseRow)(nil), (*crash.InstanceRow)(nil)) // which only bun's own queries use
	described := map[string][]string{}
	for _, of := range table.Models.All() {
		if !strings.HasPrefix(of.Type.PkgPath(), "github.com/casino-service/casino/adapters/sqlstore/internal/") {
			continue // fields of models, and models of other tests
		}
		for name := range of.FieldMap {
			described[of.Name] = append(described[of.Name], name)
		}
	}
	for table, columns := range migrated(t) {
		models := described[table]
		for _, column := range columns {
			if !slices.Contains(models, column) {
				t.Errorf("no model has the column %s of %s", column, table)
			}
		}
		for _, column := range models {
			if !slices.Contains(columns, column) && !slices.Contains(elsewhere[table], column) {
				t.Errorf("%s has no column %s, as a model says", table, column)
			}
		}
		delete(described, table)
	}
	for table := range described {
		t.Errorf("there is no table %s, as a model says", table)
	}
}

// elsewhere are columns that are read with a table and belong to another.
var elsewhere = map[string][]string{
	"rounds": {"commitment", "client_seed", "client_source"}, "open_rounds": {"commitment", "client_seed", "client_source"},
	"transactions": {"fee", "corrected_by"}, "tokens": {"new_account_fee"},
}

// migrated returns the columns of the tables that SQLite's migrations make.
func migrated(t *testing.T) map[string][]string {
	t.Helper()
	pool, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	pool.SetMaxOpenConns(1)
	files, err := fs.Glob(migrations.SQLite(), "*.up.sql")
	if err != nil || len(files) == 0 {
		t.Fatal("no migrations", err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(migrations.SQLite(), file)
		if err == nil {
			_, err = pool.ExecContext(t.Context(), string(text))
		}
		if err != nil {
			t.Fatal(file, err)
		}
	}
	found, err := pool.QueryContext(t.Context(), `SELECT m.name, c.name FROM sqlite_schema AS m CROSS JOIN pragma_table_xinfo(m.name) AS c WHERE m.type = 'table'`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	columns := map[string][]string{}
	for found.Next() {
		var table, column string
		if err := found.Scan(&table, &column); err != nil {
			t.Fatal(err)
		}
		columns[table] = append(columns[table], column)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return columns
}
