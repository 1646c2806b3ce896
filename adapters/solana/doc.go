// Package solana is the adapter to a Solana chain over JSON-RPC: it reads deposits,
// signs, sends and follows payouts, and reports the chain's state.
//
// One Node serves the ports to the chain: ports.DepositReader, ports.DepositTransactions,
// ports.DepositHistory, ports.Mints, ports.Payer, ports.TreasuryHistory, ports.ChainProbe,
// ports.ChainHeights, ports.ChainHead and ports.HouseAddresses. Commands build it and use
// cases see only the ports. It keeps nothing but the rest of a long history, starts no
// goroutine, reads no clock, and draws no randomness: the caller decides when to ask
// again. A Cluster serves the same ports over several nodes of one chain and believes
// what two of them report alike.
//
// # What it believes
//
// A node is trusted no further than it can be checked. A response that isn't exactly a
// JSON-RPC response to the call (a proxy's page, a missing result, another call's id) is
// an error, because reading it as "not found" would pay twice. Transactions are read as
// bytes and their signatures verified again. A payout's signature is always our own,
// taken from the bytes that were stored.
//
// # When a payout is dead
//
// Only Outcome may say so, and only when the chain's finalized height is beyond the
// transaction's last valid one by a margin, the node calls its blockhash invalid, and
// the transaction is in neither the statuses nor the history of a node that has kept
// every block since it was signed, asked after that. A node that fell behind, was
// pruned, or reports a slot number as its height proves nothing; the payout then stays
// as it is and the caller raises an alarm.
//
// # Errors
//
// A chain that can't be read is a fault of kind External whose message may be shown to
// anybody; the error's own text says more and is meant for logs. Neither ever holds the
// RPC URL's path, query or password, where providers put API keys.
package solana
