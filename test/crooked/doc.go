// Package crooked proves that a dishonest house is found from a player's file alone.
//
// Its tests put a house that cheats between the players and the real service: a proxy that has
// the service's database and its keys, as a dishonest operator has. It changes what is asked
// and what is answered, signs what it changed, and opens the seeds of bets that wait. Players
// are `casino fairness capture`. Of each cheat the file must be enough for `casino fairness
// check`, and for the programs that share no code with it, to find it by the same checks; of a
// house that doesn't cheat they must find nothing.
//
// `make crooked` plays many rounds at the honest house. No package imports this one.
package crooked
