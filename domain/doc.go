// Package domain is the map of the casino's rules: a pure library that stands
// on Go's standard library alone.
//
// Nothing below it knows a clock, a random source, a goroutine, a context, a
// file, a network or a wire format. Time, random bytes and state come in as
// arguments; decisions come out as values.
//
//	money       amounts in base units, exact ratios, 128-bit totals, token names
//	wallet      addresses that can be trusted to sign, the login message
//	fault       every reason for a refusal: a closed set of kinds
//	ledger      accounts, transfers, postings; Book is the reference model
//	fairness    seed pairs, commitments, the draw stream, rotation
//	game        configs, outcomes, payouts and exact returns of the games
//	bet         Admit makes every refusal before the draw, Decide draws
//	deposit     what counts as a deposit, judged from an observed transaction
//	withdrawal  the state machine from request to payout
//	seamless    third-party games: decimal money, transactions, rounds of providers
//	player      all that one wallet owns: View, Change, Apply and the decisions
//	approval    what two persons decide together
//	protection  what keeps a player from harm: limits, exclusion, freezing
//	agent       operators whose players are served: terms, credentials, prepaid accounts
//	token       the terms on which a token is taken
//	catalog     the games on offer, and which of them are switched off
//	figure      kept figures: what operators look at
//	hashchain   blocks that make later changes show
//	rbac        permissions, roles, levels
//	limit       the exact sliding window
//	audit       the record of who changed what
//	branding    the public face
//
// internal/base58 and internal/weburl read texts for several of them.
//
// Embedders import the packages they need; most begin with bet or player. The
// example below is one whole bet, from two random numbers to booked money.
package domain
