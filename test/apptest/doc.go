// Package apptest opens a casino over fakes. It provides the steps that the tests of app's
// packages share: players, admins, deposits, withdrawals, and checks of the books.
//
// Tests of app's packages import it.
package apptest
