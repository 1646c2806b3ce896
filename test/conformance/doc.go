// Package conformance proves the contracts of package ports on any adapter: one
// exported function a port, under the port's name, with a subtest for each sentence of
// the port's comment.
//
// An adapter's test passes a constructor to the suites of the ports it serves;
// embedders do the same with theirs:
//
//	func TestStore(t *testing.T) {
//		newStore := func(t *testing.T) conformance.Store { return conformance.Store{Ports: memory.New()} }
//		t.Run("Writer", func(t *testing.T) { conformance.Writer(t, newStore) })
//		t.Run("Rounds", func(t *testing.T) { conformance.Rounds(t, newStore) })
//	}
//
// A game of your own is proved the same way, by Game. It has no port: its contract
// is the comments of domain/game. The examples of Limiter and Game are an adapter and
// a game, whole.
//
// An adapter of one port needs no others: embed it with a store or a chain that is there
// already, such as adapters/memory or FakeChain, and override its methods.
//
// Each case of a store's suites is marked with the kind of fault that it shows. The same
// contract is served by three stores, which share much of their code, so that not every
// store can have every fault:
//
//   - Logic is what is decided, in which order it is refused, and what follows from it. That
//     is Go which both databases share. These cases run on memory, which has its own, and on
//     SQLite; PostgreSQL can show nothing more.
//   - Rows is what is stored, found, sorted, summed and counted. Types (UUIDs, arrays, months,
//     numbers above 64 bits), null, collation, indexes and unique constraints differ from
//     database to database, so these cases run on each.
//   - Races is what happens at the same time. Locks, isolation, deadlocks, serial order and a
//     COMMIT without an answer are each database's own; what shares a batch depends on the
//     writer's settings too. These cases run on each database, and once more with small
//     batches and with two writers.
//
// A suite that is called without a kind runs all of its cases: an adapter of your own has
// code of its own for all of them.
//
// What adapters may do differently they declare in Traits (a limiter in its Step); no suite
// asks which adapter it is given. A suite that an adapter fails is never weakened for it.
// Whatever an adapter returns, its suite fails: it doesn't panic, and goes on to its end.
// Only tests import the package.
package conformance
