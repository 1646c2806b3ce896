// Package rows is what the SQL store knows of tables: one file a table, with one
// list of its columns, and for what wallets own, how it is read for the items of a
// batch and how what their decisions change is written.
//
// The writer, the short transactions of admins and the reads share it. A new thing
// that a wallet owns is one more file here and one line in things.go.
package rows
