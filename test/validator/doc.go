// Package validator runs Solana's own runtime, with the deployed programs, behind the
// JSON-RPC of a validator. Tests import it where localnet's simulation is not
// proof enough: token programs with extensions, lookup tables, v1 transactions.
//
// Every transaction is executed by Surfpool or by LiteSVM, which embed the runtime;
// they come from npm as development dependencies with lockfiles and are started
// through Node.js, offline and on loopback. They are built for Linux on x86-64 with
// glibc; elsewhere the test is skipped, with a message.
//
// # Corrections
//
// Surfpool executes like a validator but settles differently: it has one level of commitment, keeps
// blockhashes valid while time travels, still lists closed token accounts after a transaction,
// leaves the priority fee out of the reported fee, and returns any version of transaction to every
// client. A Chain corrects that: slots from the test's clock, one in twenty without a block;
// confirmation after 2 slots and finality after 31; each account's contents at each level;
// blockhashes that expire by block height; which signatures are known, listed, and too new or too
// old; duplicates. So the simulated chain and this one differ only in the executor, and a suite
// that passes on both checks the simulation against the runtime.
//
// A Proxy in front of either injects failures between a client and its provider.
package validator
