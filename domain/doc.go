// Package domain is the map of the casino's rules: a pure library that stands
// on Go's standard library alone.
//
// Nothing below it knows a clock, a random source, a goroutine, a context, a
// file, a network or a wire format. Time, random bytes and state come in as
// arguments; decisions come out as values.
//
//	money       amounts in base units, exact ratios, 128-bit totals, token names
//	wallet      addresses that can be trusted to sign, the login message
//	fault       the closed set of reasons for a refusal
//	ledger      accounts, transfers, postings; Book is the reference model
//	fairness    seed pairs, commitments, the draw stream, rotation
//	game        configs, outcomes, payouts and exact returns of the games
//	bet         Admit makes every refusal before the draw, Decide draws
//	deposit     what counts as a deposit, judged from an observed transaction
//	withdrawal  the state machine from request to payout
//	treasury    what left the treasury by its own signature, and how far that is known
//	seamless    third-party games: decimal money, transactions, rounds of providers
//	player      all that one wallet owns: View, Change, decisions, and the law of both
//	token       the terms on which a token is accepted
//	session     what was played since a sign-in
//	figure      the daily figures that reports are made of
//	canonical   the one encoding of what is hashed or sealed
//	event       what became of withdrawals, deposits, roles: covered by blocks
//	stream      what was committed, as events for whoever listens
//	webhook     agents' endpoints that events are sent to, and how deliveries are signed
//	alarm       what a person has to look at, by kind, and how it ends
//	control     what every commit reads: the ledger's id, its epoch, what is paused
//	hashchain   blocks that make later changes detectable
//	checkpoint  what is stated of the ledger under a signature
//	solvency    trees of all that is owed to players, for each of them to check
//	seal        what proves that a row was written by the service itself
//	proof       what a wallet has, counted from the blocks that moved it
//	witness     what is kept outside the database, and what it proves
//	restriction what somebody forbade, kept outside the database
//	rbac        permissions, roles, levels
//	agent       agents, their credentials and prepaid accounts
//	approval    requests that two persons decide
//	protection  players' limits, exclusion, freeze
//	catalog     the games on offer, switched on and off
//	limit       the exact sliding window
//	audit       the record of who changed what
//	branding    the public title, logo and colour
//
// internal/base58 and internal/weburl read texts for several of them.
//
// Embedders import the packages they need; most begin with bet or player. The
// example below is one whole bet, from two random numbers to booked money.
package domain
