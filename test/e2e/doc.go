// Package e2e opens the service's pages in a real Chromium and uses them as a
// player does: by pointer, by keyboard, on a phone's screen.
//
// Nobody imports it. `make e2e` runs it, and so does `make test`; under -short it
// is left out, since `make check` needs no browser. CASINO_TEST_BROWSER names the
// browser; otherwise it is looked for where test/require-browser looks.
package e2e
