// Package e2e opens the service's pages in a real Chromium and uses them as a player does: by
// pointer, by keyboard, on a phone's screen.
//
// `make e2e` and `make test` run it; under -short it is skipped, because `make check` needs no
// browser. CASINO_TEST_BROWSER names the browser; otherwise it is searched for as in
// test/require-browser. No package imports it.
package e2e
