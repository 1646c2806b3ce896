// Package settings is the configuration of the commands: flags with environment variables,
// secrets that don't print, files with secrets, and checks that report all faults at once.
//
// Only commands import it. It reads files and opens no connection.
package settings
