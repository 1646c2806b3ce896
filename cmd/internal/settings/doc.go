// Package settings is the configuration of the commands: flags with an environment
// variable each, secrets that don't print, files that hold secrets, and the checks that
// report every fault at once.
//
// Only commands import it. It reads files and opens no connection.
package settings
