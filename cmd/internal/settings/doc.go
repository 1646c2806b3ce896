// Package settings is the configuration of the commands: flags with an
// environment variable each, secrets that print as nothing, files that secrets
// may lie in, and the checks that name every fault at once.
//
// Only commands import it. It reads files and opens no connection.
package settings
