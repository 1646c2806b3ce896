package solvency_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"sort"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/solvency"
	"github.com/casino-service/casino/domain/wallet"
)

var hour = time.UnixMilli(1_795_262_400_000).UTC()

// naive is a second implementation, from docs/fairness/solvency.md: texts, a tree by the
// recursion of RFC 6962, and sums without a bound.
type naive struct {
	sum  *big.Int
	hash string
}

func sha(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func naiveOwner(w wallet.Address, salt string) string {
	return sha("casino solvency owner 1\nwallet: " + string(w) + "\nsalt: " + salt + "\n")
}

func naiveLeaf(owner, token string, o solvency.Owed) naive {
	sum := new(big.Int)
	for _, part := range []money.Amount{o.Available, o.Held, o.Staked, o.Unclaimed} {
		sum.Add(sum, big.NewInt(int64(part)))
	}
	return naive{sum, sha(fmt.Sprintf("casino solvency leaf 1\nowner: %s\ntoken: %s\navailable: %d\nheld: %d\nstaked: %d\nunclaimed: %d\n",
		owner, token, o.Available, o.Held, o.Staked, o.Unclaimed))}
}

func naiveRoot(leaves []naive) naive {
	switch len(leaves) {
	case 0:
		return naive{new(big.Int), sha("")}
	case 1:
		return leaves[0]
	}
	k := 1
	for k*2 < len(leaves) {
		k *= 2
	}
	left, right := naiveRoot(leaves[:k]), naiveRoot(leaves[k:])
	return naive{new(big.Int).Add(left.sum, right.sum), sha(fmt.Sprintf("casino solvency node 1\nleft: %s:%s\nright: %s:%s\n", left.sum, left.hash, right.sum, right.hash))}
}

func (n naive) is(node solvency.Node) bool {
	return n.hash == node.Hash.String() && n.sum.Cmp(big.NewInt(int64(node.Sum))) == 0
}

func debts(t *rapid.T, n int) map[wallet.Address]solvency.Owed {
	amount := rapid.OneOf(rapid.Just(money.Amount(0)), rapid.Map(rapid.Int64Range(0, 1<<40), func(v int64) money.Amount { return money.Amount(v) }))
	all := map[wallet.Address]solvency.Owed{}
	for i := range n {
		all[wallet.Address(fmt.Sprintf("wallet%d", i))] = solvency.Owed{
			Available: amount.Draw(t, "available"), Held: amount.Draw(t, "held"), Staked: amount.Draw(t, "staked"), Unclaimed: amount.Draw(t, "unclaimed"),
		}
	}
	return all
}

// prove finds the proof of a wallet as a store does.
func prove(l solvency.Ledger, key []byte, w wallet.Address) (solvency.Proof, bool) {
	owner := solvency.Owner(w, solvency.Salt(key, w, hour))
	for n, chunk := range l.Chunks {
		if p, found := solvency.Prove(l.Token, l.Roots, n, chunk, owner); found {
			return p, true
		}
	}
	return solvency.Proof{}, false
}

func statedOf(l solvency.Ledger) []solvency.Stated {
	return []solvency.Stated{{Token: l.Token, Root: l.Root(), Leaves: l.Size(), Treasury: "address"}}
}

// TestTreesAreThoseOfASecondImplementation builds trees of all sizes around chunks, proves
// every wallet, and changes what is proved.
func TestTreesAreThoseOfASecondImplementation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(0, 20), rapid.SampledFrom([]int{255, 256, 257, 511, 512, 513, 769})).Draw(t, "wallets")
		key, all := []byte("key"), debts(t, n)
		l, err := solvency.NewLedger("sol", key, hour, all)
		if err != nil {
			t.Fatal(err)
		}
		byOwner := map[string]naive{}
		for w, owed := range all {
			if owed != (solvency.Owed{}) {
				owner := naiveOwner(w, solvency.Salt(key, w, hour).String())
				byOwner[owner] = naiveLeaf(owner, "sol", owed)
			}
		}
		owners := make([]string, 0, len(byOwner))
		for owner := range byOwner {
			owners = append(owners, owner)
		}
		sort.Strings(owners)
		leaves := make([]naive, len(owners))
		for i, owner := range owners {
			leaves[i] = byOwner[owner]
		}
		if root := naiveRoot(leaves); !root.is(l.Root()) || l.Size() != len(leaves) {
			t.Fatalf("%d leaves with the root %s, want %d with %s:%s", l.Size(), l.Root(), len(leaves), root.sum, root.hash)
		}
		var held money.Amount
		for _, owed := range all {
			held += owed.Held
		}
		for i := range min(n, 8) {
			w := wallet.Address(fmt.Sprintf("wallet%d", i))
			owed := all[w]
			p, found := prove(l, key, w)
			if found != (owed != solvency.Owed{}) {
				t.Fatalf("%s: found %v", w, found)
			}
			if !found {
				continue
			}
			salt := solvency.Salt(key, w, hour)
			if err := p.Check(w, salt, statedOf(l)); err != nil || p.Owed != owed {
				t.Fatalf("%s: %v, %+v", w, err, p)
			}
			if i == 0 {
				forgeries(t, l, p, w, salt)
			}
		}
		if got := l.Event(hour, nil).Number("held"); got != int64(held) {
			t.Fatalf("%d is held, want %d", got, held)
		}
	})
}

// forgeries changes one thing of a proof at a time.
func forgeries(t *rapid.T, l solvency.Ledger, p solvency.Proof, w wallet.Address, salt solvency.Hash) {
	refused := func(what string, p solvency.Proof, w wallet.Address, salt solvency.Hash, stated []solvency.Stated) {
		if err := p.Check(w, salt, stated); !fault.Is(err, fault.Invalid) {
			t.Fatalf("%s: %v", what, err)
		}
	}
	changed := func(change func(*solvency.Proof)) solvency.Proof {
		other := p
		other.Path = slices.Clone(p.Path)
		change(&other)
		return other
	}
	stated := statedOf(l)
	refused("another wallet", p, w+"x", salt, stated)
	refused("another salt", p, w, solvency.Hash{}, stated)
	refused("another token", changed(func(p *solvency.Proof) { p.Token = "usd" }), w, salt, stated)
	for i, part := range []func(*solvency.Proof) *money.Amount{
		func(p *solvency.Proof) *money.Amount { return &p.Available }, func(p *solvency.Proof) *money.Amount { return &p.Held },
		func(p *solvency.Proof) *money.Amount { return &p.Staked }, func(p *solvency.Proof) *money.Amount { return &p.Unclaimed },
	} {
		refused("another amount", changed(func(p *solvency.Proof) { *part(p) += money.Amount(i + 1) }), w, salt, stated)
		refused("a negative amount", changed(func(p *solvency.Proof) { *part(p) = -1 }), w, salt, stated)
	}
	refused("amounts that change places", changed(func(p *solvency.Proof) {
		p.Available, p.Held = p.Available+1, p.Held-1
	}), w, salt, stated)
	for _, index := range []int{-1, p.Index - 1, p.Index + 1, p.Index + l.Size(), l.Size()} {
		refused("another index", changed(func(p *solvency.Proof) { p.Index = index }), w, salt, stated)
	}
	refused("a longer path", changed(func(p *solvency.Proof) { p.Path = append(p.Path, l.Root()) }), w, salt, stated)
	for i := range p.Path {
		refused("a shorter path", changed(func(p *solvency.Proof) { p.Path = p.Path[:i] }), w, salt, stated)
		refused("a hash", changed(func(p *solvency.Proof) { p.Path[i].Hash[3] ^= 1 }), w, salt, stated)
		refused("a sum", changed(func(p *solvency.Proof) { p.Path[i].Sum++ }), w, salt, stated)
		refused("a negative sum", changed(func(p *solvency.Proof) { p.Path[i].Sum = -1 }), w, salt, stated)
		refused("a sum without end", changed(func(p *solvency.Proof) { p.Path[i].Sum = money.Max }), w, salt, stated)
	}
	for what, change := range map[string]func(*solvency.Stated){
		"a smaller sum": func(s *solvency.Stated) { s.Root.Sum-- }, "another root": func(s *solvency.Stated) { s.Root.Hash[0] ^= 1 },
		"more leaves": func(s *solvency.Stated) { s.Leaves *= 4 }, "no leaves": func(s *solvency.Stated) { s.Leaves = 0 },
	} {
		other := statedOf(l)
		change(&other[0])
		refused(what, p, w, salt, other)
	}
}

// TestNoSumIsHidden makes a tree in which a negative part lowers the sum, as the house would
// that owes less than it does: whoever stands beside it sees it, and so does whoever would
// make it.
func TestNoSumIsHidden(t *testing.T) {
	t.Parallel()
	salt := solvency.Hash{1}
	mine := solvency.Owed{Available: 100}
	leaf, _ := solvency.Leaf{Owner: solvency.Owner("alice", salt), Owed: mine}.Node("sol")
	for _, beside := range []money.Amount{-90, money.Max - 99} {
		other := solvency.Node{Sum: beside, Hash: solvency.Hash{2}}
		for index, pair := range [][]solvency.Node{{leaf, other}, {other, leaf}} {
			root, valid := solvency.Join(pair[0], pair[1])
			if valid {
				t.Errorf("%d and %d add up to %d", pair[0].Sum, pair[1].Sum, root.Sum)
			}
			stated := []solvency.Stated{{Token: "sol", Root: solvency.Node{Sum: 100 + beside, Hash: root.Hash}, Leaves: 2}}
			p := solvency.Proof{Token: "sol", Owed: mine, Index: index, Path: []solvency.Node{other}}
			if err := p.Check("alice", salt, stated); !fault.Is(err, fault.Invalid) {
				t.Errorf("beside %d: %v", beside, err)
			}
			if _, err := solvency.NewTree(pair); !fault.Is(err, fault.Invalid) {
				t.Errorf("a tree with %d: %v", beside, err)
			}
		}
	}
	for name, owed := range map[string]map[wallet.Address]solvency.Owed{
		"a negative part": {"alice": {Available: 5, Held: -1}}, "a leaf without a sum": {"alice": {Available: money.Max, Held: 1}},
		"a tree without a sum": {"alice": {Available: money.Max}, "bob": {Unclaimed: 1}},
	} {
		if _, err := solvency.NewLedger("sol", nil, hour, owed); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if l, err := solvency.NewLedger("sol", nil, hour, map[wallet.Address]solvency.Owed{"alice": {Available: money.Max - 1}, "bob": {Held: 1}}); err != nil || l.Root().Sum != money.Max {
		t.Errorf("%v: the greatest sum is %d", err, l.Root().Sum)
	}
}

func TestAPathThatProvesNothingElse(t *testing.T) {
	t.Parallel()
	l, err := solvency.NewLedger("sol", nil, hour, map[wallet.Address]solvency.Owed{"alice": {Available: 1}, "bob": {Available: 2}})
	if err != nil {
		t.Fatal(err)
	}
	owner := solvency.Owner("alice", solvency.Salt(nil, "alice", hour))
	for what, found := range map[string]bool{
		"a chunk of other roots": second(solvency.Prove("sol", []solvency.Node{{Sum: 3}}, 0, l.Chunks[0], owner)),
		"no chunk":               second(solvency.Prove("sol", l.Roots, 1, l.Chunks[0], owner)),
		"another token":          second(solvency.Prove("usd", l.Roots, 0, l.Chunks[0], owner)),
		"a stranger":             second(solvency.Prove("sol", l.Roots, 0, l.Chunks[0], solvency.Hash{})),
	} {
		if found {
			t.Errorf("%s proves a leaf", what)
		}
	}
}

func second(_ solvency.Proof, found bool) bool { return found }

func TestSaltsAreOfOneWalletAndHour(t *testing.T) {
	t.Parallel()
	seen := map[solvency.Hash]bool{}
	for _, key := range []string{"a", "b"} {
		for _, w := range []wallet.Address{"alice", "bob"} {
			for _, at := range []time.Time{hour, hour.Add(time.Hour)} {
				seen[solvency.Salt([]byte(key), w, at)] = true
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d salts of 8", len(seen))
	}
	if solvency.Owner("alice", solvency.Hash{1}) == solvency.Owner("alice", solvency.Hash{2}) {
		t.Error("an owner without salt")
	}
}

func TestTextsAreReadInOneWay(t *testing.T) {
	t.Parallel()
	node := solvency.Node{Sum: 12, Hash: solvency.Empty().Hash}
	path := []solvency.Node{node, {Sum: money.Max, Hash: solvency.Hash{1}}}
	raw := solvency.EncodeNodes(path)
	if read, err := solvency.DecodeNodes(raw); err != nil || !slices.Equal(read, path) || len(raw) != 80 || hex.EncodeToString(raw[:8]) != "000000000000000c" {
		t.Errorf("%v, %v of %x", err, read, raw)
	}
	for _, wrong := range [][]byte{raw[1:], raw[:79], raw[:1]} {
		if read, err := solvency.DecodeNodes(wrong); !fault.Is(err, fault.Invalid) {
			t.Errorf("%x was read as %v: %v", wrong, read, err)
		}
	}
	held := money.Amount(7)
	all := []solvency.Stated{{Token: "sol", Root: node, Leaves: 3, Treasury: "a", Holding: &held}, {Token: "usd", Root: solvency.Empty(), Treasury: "b"}}
	facts := solvency.Facts(all)
	if read, err := solvency.ParseFacts(facts); err != nil || !reflect.DeepEqual(read, all) {
		t.Fatalf("%v, %+v", err, read)
	}
	for i := range facts {
		for name, wrong := range map[string][]checkpoint.Fact{
			"left out": slices.Delete(slices.Clone(facts), i, i+1), "twice": slices.Insert(slices.Clone(facts), i, facts[i]),
			"another name": replaced(facts, i, checkpoint.Fact{Name: "x", Value: facts[i].Value}),
			"a zero":       replaced(facts, i, checkpoint.Fact{Name: facts[i].Name, Value: "0" + facts[i].Value}),
			"negative":     replaced(facts, i, checkpoint.Fact{Name: facts[i].Name, Value: "-1"}),
		} {
			free := facts[i].Name == "token" || facts[i].Name == "treasury"
			if read, err := solvency.ParseFacts(wrong); !fault.Is(err, fault.Invalid) && !(free && (name == "a zero" || name == "negative")) {
				t.Errorf("fact %d %s: %v, %+v", i, name, err, read)
			}
		}
	}
	if _, err := solvency.ParseFacts(append(slices.Clone(facts), facts[:6]...)); !fault.Is(err, fault.Invalid) {
		t.Errorf("a token twice: %v", err)
	}
}

func replaced(facts []checkpoint.Fact, i int, fact checkpoint.Fact) []checkpoint.Fact {
	all := slices.Clone(facts)
	all[i] = fact
	return all
}

func TestDebtsAddUpByKind(t *testing.T) {
	t.Parallel()
	d := solvency.Debts{}
	for kind, amount := range map[ledger.Kind]money.Amount{
		ledger.Player: 1, ledger.Hold: 2, ledger.Stake: 4, ledger.Unclaimed: 8, ledger.House: 16, ledger.Chain: 32,
	} {
		if !d.Add(kind, "alice", "sol", amount) {
			t.Errorf("%s is not added", kind)
		}
	}
	if !d.Add(ledger.Hold, "alice", "sol", 16) {
		t.Error("a second hold is not added")
	}
	if got := d["sol"]["alice"]; got != (solvency.Owed{Available: 1, Held: 18, Staked: 4, Unclaimed: 8}) {
		t.Errorf("%+v", got)
	}
	if d.Add(ledger.Hold, "alice", "sol", money.Max) || d.Add(ledger.Player, "alice", "sol", -1) {
		t.Error("added what has no sum")
	}
}

func TestAnEventSaysWhatWasStated(t *testing.T) {
	t.Parallel()
	l, err := solvency.NewLedger("sol", nil, hour, map[wallet.Address]solvency.Owed{"alice": {Available: 2}, "bob": {Held: 3}})
	if err != nil {
		t.Fatal(err)
	}
	e := l.Event(hour, []hashchain.Head{{Lane: 1, Seq: 2}, {Lane: 4, Seq: 5}})
	if at, token, valid := solvency.ParseEventID(e.ID); !valid || !at.Equal(hour) || token != "sol" {
		t.Errorf("%s of %s, %v", token, at, valid)
	}
	zeros := hex.EncodeToString(make([]byte, 32))
	if e.Value("root") != l.Root().Hash.String() || e.Number("sum") != 5 || e.Number("held") != 3 || e.Number("leaves") != 2 ||
		e.Value("heads") != "1:2:"+zeros+" 4:5:"+zeros || !e.Kind.Fact() || e.Wallet != "" {
		t.Errorf("%+v", e)
	}
	if a, b := solvency.EventID(time.UnixMilli(999), "z"), solvency.EventID(time.UnixMilli(1000), "a"); a >= b {
		t.Errorf("%s doesn't sort before %s", a, b)
	}
}
