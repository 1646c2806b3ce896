// Package verifiers holds programs that verify rounds, written from docs/fairness alone,
// and compares them with the code that draws. What both say is what the documents say.
//
// verify.py and games.py are for players and auditors: Python's standard library, two files.
// Nobody imports this package. `make verifiers` runs it with a million rounds, `make test` with
// 20,000; where python3 is missing and CASINO_TEST_PYTHON isn't 1 it is skipped.
package verifiers
