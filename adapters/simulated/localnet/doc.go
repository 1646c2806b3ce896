// Package localnet is a small, faithful simulation of a Solana node behind Solana's own
// JSON-RPC. `casino dev` and `casino localnet` serve it, and tests of Solana clients run
// against it. Only commands and tests may import it; the solana adapter can't tell it from
// a real node.
//
// # What is simulated
//
//   - Real transactions: legacy and v0 messages of at most 1,232 bytes in base64 or
//     base58, every signature checked as strictly as validators do.
//   - Programs: System (CreateAccount, Assign, Transfer, Allocate), SPL Token
//     (mints, accounts, MintTo, Transfer, TransferChecked), Associated Token Account
//     (Create, CreateIdempotent), Memo v1 and v2, Compute Budget. A test replays random
//     transactions on Solana's own runtime with the deployed programs (LiteSVM): the same
//     errors, fees and account bytes.
//   - Fees of 5,000 lamports a signature and priority fees; rent-exempt minimums and
//     the rule that no account may end below its own; a failing transaction pays
//     its fee and lands with its error, one that can't pay does not land.
//   - Slots from the clock, 20 ms each unless configured; one slot in twenty has no
//     block, so that a block height is not a slot number; confirmed 2 slots and
//     finalized 31 slots after landing. Reads at each commitment see the accounts
//     as they were at that slot, preflight included: a blockhash taken at a later
//     commitment than the preflight's is not found, as on a real node.
//   - Blockhashes expire by block height; isBlockhashValid, lastValidBlockHeight,
//     statuses that leave the recent cache after 150 slots, duplicates rejected.
//
// Empty slots are not stored: slot numbers, blockhashes and block times follow from the
// clock and a base kept in the journal. So an idle chain costs nothing, and slots continue
// to count while the process is stopped.
//
// # What is not simulated
//
// There is one node: no consensus, no forks, no leader schedule, no epochs with effects. A
// transaction lands in the slot in which it arrives or never. There are no lookup tables,
// durable nonces, delegates, freezes, wrapped SOL, Token-2022, stake, votes or user
// programs (all rejected with Solana's errors), and no getProgramAccounts. Blocks are shown
// without their transactions.
// Compute units are rough constants, above those of the deployed programs, and program logs
// are similar to theirs but not the same. Fees are not burnt but collected by the node's
// identity, so that the sum of lamports never changes. Preflight rejects a duplicate as
// soon as the first one landed; a real node answers with the signature until its preflight
// bank knows it. Accounts are shown in base64, transactions in base64 or json.
//
// The websocket (Pubsub) has signatureSubscribe and slotSubscribe and their unsubscribe
// calls, which clients use to confirm transactions. It has no subscription to accounts,
// logs, programs, roots or blocks. Notifications come once a slot. Serve it on the port
// above that of the JSON-RPC, where clients look for it.
package localnet
