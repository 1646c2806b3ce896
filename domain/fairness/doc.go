// Package fairness is the provably fair scheme: server seeds and their
// commitments, seed pairs and their rotation, and the stream of draws that a
// round is decided by.
//
// A pair is a server seed, chosen and committed to by the house, and a client
// seed. Round after round the pair's nonce goes up by one, and the draws of a
// round are
//
//	HMAC_SHA256(key = server seed as text, message = "{clientSeed}:{nonce}:{cursor}")
//
// read as eight big-endian uint32 for each cursor 0, 1, 2, …. That is what the
// field's public verifiers compute. Rotation retires a pair, reveals its server
// seed and starts the next pair, whose server seed was committed to before the
// player chose its client seed: the house can choose neither seed knowing the
// other. A pair also ends by itself, with the round that is its 10,000th or that comes
// after 30 days.
//
// The game rules, bet decisions, seed stores and the verifier import this
// package. Nothing here draws randomness: entropy comes in as bytes. Handlers,
// logs and metrics have no business with an open ServerSeed; should one reach
// them all the same, it prints as "[sealed]".
package fairness
