// Package scenario holds stories of the whole service on a real store, in which
// what the service reports is computed a second way. It exports nothing.
package scenario
