// Package verifiers holds programs that verify rounds, written from docs/fairness alone,
// and compares them with the code that draws. What both say is what the documents say.
//
// verify.py, games.py and steps.py are for players and auditors: Python's standard library,
// three files.
// The one for pages is adapters/web/verify, in TypeScript; it judges the same kinds of rounds.
// Nobody imports this package. `make verifiers` runs both with a million rounds, `make test`
// with 20,000; where python3 (Node.js) is missing and CASINO_TEST_PYTHON (CASINO_TEST_NODE)
// isn't 1 it is skipped.
package verifiers
