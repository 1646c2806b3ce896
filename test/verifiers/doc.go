// Package verifiers holds programs that verify rounds, written from docs/fairness alone,
// and compares them with the code that draws. What both say is what the documents say.
//
// verify.py is for players and auditors: Python's standard library, one file. Nobody
// imports this package. `make verifiers` runs it with a million rounds, `make test` with
// 20,000; where python3 is missing and CASINO_TEST_PYTHON isn't 1 it is skipped.
package verifiers
