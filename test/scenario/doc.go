// Package scenario has tests of the whole service on a real store, which compute the service's
// reports in a second way. It exports nothing.
package scenario
