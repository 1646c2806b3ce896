// Package verifiers has programs that verify rounds, written only from docs/fairness, and
// compares them with the drawing code. Where both agree, the documents are right.
//
// verify.py and the modules beside it are for players and auditors: Python's standard library, and
// OpenSSL for signatures. They verify rounds, receipts, the public log and its anchors, proofs
// of solvency and captures. The one for pages is adapters/web/verify, in TypeScript; it verifies
// the same. `make verifiers` runs both with a million rounds, `make test` with 20,000; if python3
// (Node.js) is missing and CASINO_TEST_PYTHON (CASINO_TEST_NODE) isn't 1, it is skipped. No
// package imports this one.
package verifiers
