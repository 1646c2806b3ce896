// Package verifiers has programs that verify rounds, written only from docs/fairness, and
// compares them with the drawing code. Where both agree, the documents are right.
//
// verify.py, games.py, steps.py and receipts.py are for players and auditors: Python's standard
// library, and openssl for the signatures of receipts. The one for pages is adapters/web/verify,
// in TypeScript; it verifies the same rounds and receipts. `make verifiers` runs both with a
// million rounds, `make test` with 20,000; if python3 (Node.js) is missing and
// CASINO_TEST_PYTHON (CASINO_TEST_NODE) isn't 1, it is skipped. No package imports this one.
package verifiers
