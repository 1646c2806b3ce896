package db

import "github.com/uptrace/bun/schema"

// modelDialect is bun's dialect, with fields of models that are kept in ways of their own.
type modelDialect struct {
	schema.Dialect
	tables *schema.Tables
	fields []func(Dialect, *schema.Table)
	of     Dialect
}

func newModelDialect(of Dialect, fields []func(Dialect, *schema.Table)) *modelDialect {
	d := &modelDialect{Dialect: of.Bun(), of: of, fields: fields}
	d.tables = schema.NewTables(d)
	return d
}

// Tables implements schema.Dialect.
func (d *modelDialect) Tables() *schema.Tables { return d.tables }

// OnTable implements schema.Dialect.
func (d *modelDialect) OnTable(t *schema.Table) {
	d.Dialect.OnTable(t)
	for _, set := range d.fields {
		set(d.of, t)
	}
}
