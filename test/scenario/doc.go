// Package scenario holds stories of the whole service on a real store, in which
// what the service tells is worked out a second way. It exports nothing.
package scenario
