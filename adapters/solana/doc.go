// Package solana is the adapter to a Solana chain over JSON-RPC: it reads deposits, signs,
// sends and follows payouts, and reports the chain's state.
//
// One Node serves the ports to the chain: ports.DepositReader, ports.DepositTransactions,
// ports.DepositHistory, ports.Mints, ports.Payer, ports.TreasuryHistory, ports.ChainProbe,
// ports.ChainHeights, ports.ChainHead, ports.Beacons and ports.HouseAddresses. Only commands import it. It
// keeps no state except the rest of a long history, starts no goroutine, reads no clock,
// and draws no randomness; the caller decides when to try again. A Cluster serves the same
// ports over several nodes of one chain and accepts facts that two of them report alike.
//
// # Trust
//
// A node's claims are verified where possible. A response that isn't exactly a JSON-RPC
// response to the call (a proxy's page, a missing result, another call's id) is an error,
// because reading it as "not found" would pay twice. Transactions are read as bytes and
// their signatures verified again. A payout's signature is always taken from the stored
// bytes, never from a node.
//
// # Beacons
//
// A finalized blockhash decides a round of the shared crash. A Cluster returns one if two
// nodes report it and no node reports another one; a Node believes its only node. The
// parent slot shows that a block is the first from a height on.
//
// # When a payout is dead
//
// Only Outcome may report Dead, and only if the chain's finalized height is beyond the
// transaction's last valid one by a margin, the node calls its blockhash invalid, and the
// transaction is in neither the statuses nor the history of a node that has kept every
// block since it was signed, queried after that. A node that fell behind, was pruned, or
// reports a slot number as its height proves nothing; the payout then stays unchanged and
// the caller raises an alarm.
//
// # Errors
//
// A chain that can't be read is a fault of kind External. Its message may be shown to
// anyone; the error's own text has more detail and is for logs. Neither contains the RPC
// URL's path, query or password, where providers put API keys.
package solana
