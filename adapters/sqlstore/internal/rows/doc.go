// Package rows is what the SQL store knows of tables: one file a table, with the bun model
// whose tags describe its columns, and for what wallets own, how it is read for the items of
// a batch and how what their decisions change is written.
//
// Bun's queries take models as they are. What batches send as arrays, and what reads scan by
// position, takes its columns from bun's table of the same model (model.go, arrays.go), and
// both keep fields as codecs.go says.
//
// The writer, the short transactions of admins and the reads share it. A new thing
// that a wallet owns is one more file here and one line in things.go.
package rows
