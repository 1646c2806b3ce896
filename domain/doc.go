// Package domain documents the casino's rules: a pure library that depends only on Go's
// standard library.
//
// Its packages use no clock, random source, goroutine, context, file, network or wire
// format. Time, random bytes and state come in as arguments; decisions come out as
// values.
//
//	money       amounts in base units, exact ratios, 128-bit totals, token names
//	wallet      addresses that can be trusted to sign, the login message
//	fault       the closed set of reasons for a refusal
//	ledger      accounts, transfers, postings; Book is the reference model
//	fairness    seed pairs, commitments, the draw stream, rotation
//	game        configs, outcomes, payouts and exact returns of the games
//	bet         Admit makes every refusal before the draw, Decide draws
//	admission   who may sign in, bet, deposit and be paid, by what screeners find
//	crash       the shared crash: hash chain, beacon, curve, states and settlement of a round
//	refusal     signed refusals of bets
//	deposit     rules for deposits, judged from observed transactions
//	withdrawal  the state machine from request to payout
//	treasury    the index of transactions that the treasury signed
//	seamless    third-party games: decimal money, transactions, rounds of providers
//	player      everything that a wallet owns: View, Change, decisions, and the law of both
//	token       the terms on which a token is accepted
//	session     play since a sign-in
//	figure      the daily figures of reports
//	report      reports as tables: columns, spans of days, CSV and its hash
//	canonical   the encoding of hashed and sealed values
//	event       changes of withdrawals, deposits, roles: covered by blocks
//	stream      commits as events for listeners
//	webhook     agents' endpoints for events, and the signatures of deliveries
//	alarm       notices for persons, by kind, and how they end
//	control     the state that every commit reads: ledger id, epoch, pauses
//	hashchain   blocks that make later changes detectable
//	merkle      the trees of blocks, and proofs that a tree has a leaf
//	receipt     signed blocks, which prove to players what was committed
//	checkpoint  signed statements about the ledger
//	solvency    trees of what is owed to players, and proofs for each player
//	seal        proofs that the service itself wrote a row
//	proof       a wallet's balances, recounted from blocks
//	witness     heads kept outside the database, and what they prove
//	restriction prohibitions kept outside the database
//	rbac        permissions, roles, levels
//	agent       agents, their credentials and prepaid accounts
//	approval    requests that two persons decide
//	protection  players' limits, exclusion, freeze
//	catalog     the games on offer, switched on and off
//	limit       the exact sliding window
//	audit       the record of all changes and their actors
//	branding    the public title, logo and colour
//
// internal/base58 and internal/weburl parse texts for several of them.
//
// Embedders import the packages they need; most begin with bet or player. The example
// below is one whole bet, from two random numbers to booked money.
package domain
