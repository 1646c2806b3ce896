// Package conformance checks adapters against the contracts of package ports: one exported
// function per port, with the port's name, and a subtest for each sentence of the port's comment.
//
// An adapter's test passes a constructor to the suites of its ports; embedders do the same with
// theirs:
//
//	func TestStore(t *testing.T) {
//		newStore := func(t *testing.T) conformance.Store { return conformance.Store{Ports: memory.New()} }
//		t.Run("Writer", func(t *testing.T) { conformance.Writer(t, newStore) })
//		t.Run("Rounds", func(t *testing.T) { conformance.Rounds(t, newStore) })
//	}
//
// Check your own game in the same way with Game. It has no port: its contract is in the comments
// of domain/game. The examples of Limiter and Game are a complete adapter and a complete game.
//
// To test an adapter of one port, embed it with an existing store or chain, such as
// adapters/memory or FakeChain, and override its methods.
//
// Each case of a store's suites is marked with the kind of fault that it shows. Three stores
// implement the same contract and share much of their code, so not every store can have every
// fault:
//
//   - Logic is what is decided, the order of refusals, and the consequences. Both databases share
//     that Go code. These cases run on memory, which has its own, and on SQLite; PostgreSQL can
//     show no further fault.
//   - Rows is what is stored, found, sorted, summed and counted. Types (UUIDs, arrays, months,
//     numbers above 64 bits), null, collation, indexes and unique constraints differ between
//     databases, so these cases run on each.
//   - Races is concurrency. Locks, isolation, deadlocks, serial order and a COMMIT without an
//     answer differ between databases; which items share a batch also depends on the writer's
//     settings. These cases run on each database, and again with small batches and with two
//     writers.
//
// Called without a kind, a suite runs all of its cases: use this for your own adapter.
//
// Adapters declare permitted differences in Traits (a limiter in its Step); no suite checks which
// adapter it is given, and none is weakened for an adapter that fails it. A suite runs to its end
// and doesn't panic for any result of an adapter. Only tests import the package.
package conformance
