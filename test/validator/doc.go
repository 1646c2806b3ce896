// Package validator runs Solana's own runtime, with the deployed programs, behind the
// JSON-RPC of a validator. Tests import it where localnet's simulation is not
// proof enough: token programs with extensions, lookup tables, v1 transactions.
//
// Every transaction is executed by Surfpool or by LiteSVM, which embed the runtime;
// they come from npm as development dependencies with lockfiles and are started
// through Node.js, offline and on loopback. They are built for Linux on x86-64 with
// glibc; elsewhere the test is skipped, with a message.
//
// # What is corrected
//
// Surfpool executes like a validator and settles like none: it has one level of
// commitment, keeps blockhashes valid while time travels, goes on listing closed
// token accounts after a transaction, leaves the priority fee out of the fee it
// reports, and returns any version of transaction to every client. A Chain stands
// between and does what a validator would: slots from the test's clock, one in
// twenty without a block; confirmation after 2 slots and finality after 31; what
// each account held at each level; blockhashes that expire by block height; which
// signatures are known, listed, and too new or too old; duplicates. So the
// simulated chain and this one differ in who executes, and a suite that passes on
// both holds the simulation to the runtime.
//
// A Proxy stands before either and injects what goes wrong between a client and
// its provider.
package validator
