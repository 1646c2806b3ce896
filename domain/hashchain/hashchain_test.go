package hashchain_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/event"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/game"
	"github.com/casino-service/casino/domain/hashchain"
	"github.com/casino-service/casino/domain/ledger"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/seamless"
)

// full is a content with a value in every field.
func full() hashchain.Content {
	return hashchain.Content{
		At: time.Unix(1, 0).UTC(), Epoch: 3,
		Postings: []ledger.Posting{{
			Key: ledger.Key{Kind: ledger.Deposit, Scope: "sol", ID: "tx"},
			Transfers: []ledger.Transfer{{
				Debit: ledger.System(ledger.Chain), Credit: ledger.PlayerOf("alice"), Token: "sol", Amount: 5,
			}},
		}},
		Rounds: []bet.Round{{
			ID: "r1", Wallet: "alice", Agent: "house", GameType: "dice", Rules: "dice/1", Token: "sol", Wager: 10, Payout: 19,
			Multiplier: money.Ratio{Num: 198, Den: 100},
			Config:     game.Object(game.Member{Name: "target", Value: game.Dec(5000, 2)}),
			Outcome:    game.Object(game.Member{Name: "roll", Value: game.Dec(7614, 2)}),
			PairID:     "p1", Commitment: "c", ClientSeed: "s", ClientSource: fairness.FromPlayer, Nonce: 7, Balance: 9,
			At: time.Unix(2, 0).UTC(),
		}},
		Audit: []audit.Record{{
			ID: "a1", Action: audit.BalanceAdjusted, By: "boss", Target: "alice", Before: "0", After: "5",
			At: time.Unix(3, 0).UTC(), RequestID: "q",
		}},
		Seamless: []seamless.Transaction{{
			ID: "s1", Ref: seamless.Ref{Connection: "gold", TxnID: "t", Provider: "MAKER", Game: "g"}, Kind: seamless.DebitCredit,
			GameType: "slot", Reference: "b1", Wallet: "alice", Agent: "house", Token: "sol", Scale: 9,
			Requested: seamless.Requested{Bet: "1", Win: "2.5"}, Bet: 10, Win: 25, Residue: "0.5", Status: seamless.Review,
			Reason: seamless.OverNetCap, RoundID: "s1", Site: "https://site.example", Balance: 3, At: time.Unix(4, 0).UTC(),
		}},
		Events: []event.Event{{
			Kind: event.Withdrawal, ID: "w1", Wallet: "alice", Was: "0f", Fields: []event.Field{{Name: "status", Value: "approved"}},
		}},
	}
}

func hashOf(c hashchain.Content) hashchain.Hash { return hashchain.Next(hashchain.Head{}, c).Hash() }

// TestEveryFieldChangesTheHash walks the fields by reflection, so that a new field
// missing from the encoding is found.
func TestEveryFieldChangesTheHash(t *testing.T) {
	t.Parallel()
	seen := map[hashchain.Hash]string{hashOf(full()): "nothing changed"}
	content := full()
	changes := 0
	walk(reflect.ValueOf(&content).Elem(), "Content", func(path string) {
		changes++
		hash := hashOf(content)
		if other, ok := seen[hash]; ok {
			t.Errorf("%s changed gives the hash of %q", path, other)
		}
		seen[hash] = path
	})
	if changes < 75 {
		t.Errorf("only %d fields were changed", changes)
	}
}

// notCovered are the fields that blocks don't cover, because stores don't keep them or
// the house's own rounds lack them.
var notCovered = map[string]bool{".Theory": true, ".Source": true}

// walk changes each field in turn, calls changed, and restores it.
func walk(v reflect.Value, path string, changed func(path string)) {
	for suffix := range notCovered {
		if strings.HasSuffix(path, suffix) {
			return
		}
	}
	try := func(to reflect.Value) {
		before := reflect.New(v.Type()).Elem()
		before.Set(v)
		if reflect.DeepEqual(v.Interface(), to.Interface()) {
			return
		}
		v.Set(to)
		changed(path)
		v.Set(before)
	}
	switch value := v.Interface().(type) {
	case time.Time:
		try(reflect.ValueOf(value.Add(time.Microsecond)))
		return
	case game.Value:
		for _, other := range []game.Value{
			{}, game.Bool(true), game.Bool(false), game.Int(1), game.Int(0), game.Text("1"), game.Text(""), game.List(),
			game.Object(), game.List(value), game.Object(game.Member{Value: value}), game.Object(game.Member{Name: "other", Value: value.At(0)}),
			game.Object(game.Member{Name: "target", Value: game.Dec(500, 1)}), game.List(game.List(), game.List()),
			game.List(game.List(game.List())),
		} {
			try(reflect.ValueOf(other))
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), path+"."+v.Type().Field(i).Name, changed)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i), changed)
		}
		try(reflect.Zero(v.Type()))
		try(reflect.AppendSlice(v.Slice(0, v.Len()), v.Slice(0, v.Len())))
	case reflect.String:
		try(reflect.ValueOf(v.String() + "x").Convert(v.Type()))
		try(reflect.Zero(v.Type()))
	case reflect.Bool:
		try(reflect.ValueOf(!v.Bool()))
	case reflect.Int, reflect.Int64:
		try(reflect.ValueOf(v.Int() + 1).Convert(v.Type()))
		try(reflect.ValueOf(-v.Int() - 1).Convert(v.Type()))
	case reflect.Uint8, reflect.Uint64:
		try(reflect.ValueOf(v.Uint() + 1).Convert(v.Type()))
	default:
		panic("no way to change a " + v.Kind().String() + " at " + path)
	}
}

// TestEncodingIsInjective draws two contents from few letters, so that joined texts and
// lists are often equal: equal hashes mean equal contents.
func TestEncodingIsInjective(t *testing.T) {
	t.Parallel()
	seen := map[hashchain.Hash]string{}
	rapid.Check(t, func(t *rapid.T) {
		content := drawn(t)
		text := fmt.Sprintf("%#v", content)
		hash := hashOf(content)
		if other, ok := seen[hash]; ok && other != text {
			t.Fatalf("two contents have one hash:\n%s\n%s", text, other)
		}
		seen[hash] = text
		if again := hashOf(content); again != hash {
			t.Fatal("one content has two hashes")
		}
	})
}

func drawn(t *rapid.T) hashchain.Content {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab\x00")), 0, 3, -1)
	at := rapid.Custom(func(t *rapid.T) time.Time { return time.UnixMicro(rapid.Int64Range(0, 1).Draw(t, "at")).UTC() })
	var value func(depth int) *rapid.Generator[game.Value]
	value = func(depth int) *rapid.Generator[game.Value] {
		leaf := rapid.OneOf(rapid.Map(text, game.Text), rapid.Map(rapid.Bool(), game.Bool),
			rapid.Map(rapid.Int64Range(-1, 1), game.Int), rapid.Just(game.Value{}))
		if depth == 0 {
			return leaf
		}
		return rapid.OneOf(leaf, rapid.Custom(func(t *rapid.T) game.Value {
			return game.List(rapid.SliceOfN(value(depth-1), 0, 2).Draw(t, "items")...)
		}), rapid.Custom(func(t *rapid.T) game.Value {
			return game.Object(game.Member{Name: text.Draw(t, "name"), Value: value(depth-1).Draw(t, "member")})
		}))
	}
	account := rapid.Custom(func(t *rapid.T) ledger.Account {
		return ledger.Account{Kind: ledger.Kind(rapid.IntRange(1, 3).Draw(t, "kind")), Owner: text.Draw(t, "owner")}
	})
	transfer := rapid.Custom(func(t *rapid.T) ledger.Transfer {
		return ledger.Transfer{
			Debit: account.Draw(t, "debit"), Credit: account.Draw(t, "credit"), Token: money.Token(text.Draw(t, "token")),
			Amount: money.Amount(rapid.Int64Range(0, 2).Draw(t, "amount")),
		}
	})
	return hashchain.Content{
		At: at.Draw(t, "at"),
		Postings: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ledger.Posting {
			return ledger.Posting{
				Key:       ledger.Key{Kind: ledger.KeyKind(text.Draw(t, "kind")), Scope: text.Draw(t, "scope"), ID: text.Draw(t, "id")},
				Transfers: rapid.SliceOfN(transfer, 0, 2).Draw(t, "transfers"),
			}
		}), 0, 3).Draw(t, "postings"),
		Rounds: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bet.Round {
			return bet.Round{
				ID: text.Draw(t, "id"), Agent: text.Draw(t, "agent"), GameType: text.Draw(t, "game"),
				Config: value(2).Draw(t, "config"), Outcome: value(2).Draw(t, "outcome"), Void: rapid.Bool().Draw(t, "void"),
				At: at.Draw(t, "at"),
			}
		}), 0, 2).Draw(t, "rounds"),
		Audit: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) audit.Record {
			return audit.Record{ID: text.Draw(t, "id"), Before: text.Draw(t, "before"), After: text.Draw(t, "after"), At: at.Draw(t, "at")}
		}), 0, 2).Draw(t, "audit"),
		Seamless: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) seamless.Transaction {
			return seamless.Transaction{
				ID: text.Draw(t, "id"), Ref: seamless.Ref{TxnID: text.Draw(t, "txn"), Game: text.Draw(t, "game")},
				Residue: text.Draw(t, "residue"), RoundID: text.Draw(t, "round"), At: at.Draw(t, "at"),
			}
		}), 0, 2).Draw(t, "seamless"),
		Events: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) event.Event {
			return event.Event{
				ID: text.Draw(t, "thing"), Was: text.Draw(t, "was"), Fields: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) event.Field {
					return event.Field{Name: text.Draw(t, "name"), Value: text.Draw(t, "value")}
				}), 0, 2).Draw(t, "fields"),
			}
		}), 0, 2).Draw(t, "events"),
	}
}

func TestPlaceInTheChainChangesTheHash(t *testing.T) {
	t.Parallel()
	first := hashchain.Next(hashchain.Head{Lane: 3}, full())
	if first.Lane != 3 || first.Seq != 1 {
		t.Errorf("the first block is %+v", first)
	}
	seen := map[hashchain.Hash]bool{first.Hash(): true}
	for _, previous := range []hashchain.Head{
		{Lane: 4}, {Lane: -3}, {Lane: 3, Seq: 1}, {Lane: 3, Hash: hashchain.Hash{31: 1}}, first.Head(),
	} {
		next := hashchain.Next(previous, full())
		if seen[next.Hash()] || next.Seq != previous.Seq+1 || next.Lane != previous.Lane {
			t.Errorf("after %+v comes %+v", previous, next)
		}
		seen[next.Hash()] = true
	}
}

// TestAnEpochLeavesNumbersOut: only the beginning of a later epoch may skip numbers, and
// only upwards.
func TestAnEpochLeavesNumbersOut(t *testing.T) {
	t.Parallel()
	previous := hashchain.Link{Head: hashchain.Head{Lane: 3, Seq: 10, Hash: hashchain.Hash{1}}, Epoch: 2}
	for known, want := range map[int64]int64{0: 1010, 10: 1010, 500: 1500} {
		begun := hashchain.Begin(previous.Head, known, full())
		if begun.Seq != want || begun.Lane != 3 || begun != hashchain.Again(previous.Head, want, full()).Header {
			t.Errorf("above %d begins %+v", known, begun)
		}
	}
	for next, follows := range map[[2]int64]bool{
		{11, 2}: true, {12, 2}: false, {10, 2}: false, {11, 1}: false, {11, 3}: false, {1010, 3}: true, {1009, 3}: false,
		{5000, 4}: true, {1010, 2}: false, {1010, 1}: false, {5, 3}: false,
	} {
		link := hashchain.Link{Head: hashchain.Head{Lane: 3, Seq: next[0]}, Epoch: next[1]}
		if link.Follows(previous) != follows {
			t.Errorf("%v after number 10 of epoch 2: %v", next, !follows)
		}
	}
	for next, follows := range map[[2]int64]bool{{1, 1}: true, {1, 3}: true, {2, 1}: false, {1000, 2}: true, {1000, 1}: false} {
		if (hashchain.Link{Head: hashchain.Head{Seq: next[0]}, Epoch: next[1]}).Follows(hashchain.Link{}) != follows {
			t.Errorf("%v begins a lane: %v", next, !follows)
		}
	}
}

func TestMomentsCountInMicroseconds(t *testing.T) {
	t.Parallel()
	want := hashOf(full())
	same := full()
	same.At = same.At.In(time.FixedZone("east", 3600)).Add(999 * time.Nanosecond)
	same.Rounds[0].At = same.Rounds[0].At.Local()
	same.Rounds[0].Theory = bet.Theory{RTPPartsPerBillion: 1}
	if hashOf(same) != want {
		t.Error("what no store keeps changes the hash")
	}
}

// TestEncodingIsTheDocumentedOne writes the leaves and the header of a small block by
// hand: in leaves every integer in eight bytes, every text and list with its length before
// it. Were these bytes to change, every kept head and receipt would be worthless.
func TestEncodingIsTheDocumentedOne(t *testing.T) {
	t.Parallel()
	var written []byte
	var leaves [][32]byte
	number := func(n int64) { written = binary.BigEndian.AppendUint64(written, uint64(n)) }
	text := func(s string) { number(int64(len(s))); written = append(written, s...) }
	leaf := func(kind string, encode func()) {
		written = []byte{0}
		text(kind)
		encode()
		leaves = append(leaves, sha256.Sum256(written))
	}
	leaf("posting", func() {
		text("deposit")
		text("sol")
		text("tx")
		number(1) // transfers
		number(10)
		text("")
		number(1)
		text("alice")
		text("sol")
		number(5)
	})
	leaf("round", func() {
		for _, field := range []string{"r1", "alice", "house", "dice", "dice/1", "sol"} {
			text(field)
		}
		for _, n := range []int64{10, 19, 198, 100} { // wager, payout, multiplier
			number(n)
		}
		for _, member := range [][2]string{{"target", "50.00"}, {"roll", "76.14"}} { // config, outcome
			number(5) // an object
			number(1)
			text(member[0])
			number(2) // a number, as it is written
			text(member[1])
		}
		number(0) // not void
		text("p1")
		text("c")
		text("s")
		for _, n := range []int64{1, 7, 9, 2_000_000, 0} { // from the player, nonce, balance, moment, no actions
			number(n)
		}
	})
	leaf("audit record", func() {
		for _, field := range []string{"a1", "balance.adjusted", "boss", "alice", "0", "5"} {
			text(field)
		}
		number(3_000_000)
		text("q")
	})
	leaf("provider transaction", func() {
		for _, field := range []string{
			"s1", "gold", "t", "MAKER", "g", "debit_credit", "slot", "b1", "alice", "house", "sol", "1", "2.5", "0.5", "review",
			"NET_WIN_CAP", "s1", "https://site.example",
		} {
			text(field)
		}
		for _, n := range []int64{9, 10, 25, 3, 4_000_000} { // scale, bet, win, balance, moment
			number(n)
		}
	})
	leaf("event", func() {
		for _, field := range []string{"withdrawal", "w1", "alice", "0f"} {
			text(field)
		}
		number(1) // fields
		text("status")
		text("approved")
	})
	node := func(left, right [32]byte) [32]byte { return sha256.Sum256(slices.Concat([]byte{1}, left[:], right[:])) }
	root := node(node(node(leaves[0], leaves[1]), node(leaves[2], leaves[3])), leaves[4])
	header := fmt.Sprintf("casino block 3\nlane: 2\nseq: 1\nepoch: 3\nprevious: %064d\ntime: 1000000\nroot: %x\nsize: 5\n", 0, root)
	if got := hashchain.Next(hashchain.Head{Lane: 2}, full()); got.Text() != header || got.Hash() != sha256.Sum256([]byte(header)) {
		t.Errorf("the header is\n%s, want\n%s", got.Text(), header)
	}
}

// A header is read in the form that it is written in, and in no other.
func TestHeadersReadBack(t *testing.T) {
	t.Parallel()
	header := hashchain.Next(hashchain.Head{Lane: 2, Seq: 41, Hash: hashchain.Hash{31: 1}}, full())
	text := header.Text()
	if got, err := hashchain.ParseHeader(text); err != nil || got != header {
		t.Errorf("%+v, %v, want %+v", got, err, header)
	}
	for _, change := range [][2]string{
		{"casino block 3", "casino block 2"}, {"lane: 2", "lane: 02"}, {"lane: 2", "lane: +2"}, {"lane: 2", "lane:2"}, {"lane: 2", "lane: x"},
		{"seq: 42", "seq: 42 "}, {"epoch: 3", "epoch: 99999999999999999999"}, {"size: 5\n", "size: 5"}, {"size: 5\n", "size: 5\n\n"},
		{"previous: 0", "previous: A"}, {"root: ", "Root: "}, {"lane: 2\nseq: 42", "seq: 42\nlane: 2"},
	} {
		changed := strings.Replace(text, change[0], change[1], 1)
		if got, err := hashchain.ParseHeader(changed); changed == text || !fault.Is(err, fault.Invalid) {
			t.Errorf("%q for %q is read as %+v: %v", change[1], change[0], got, err)
		}
	}
}

// A player's things are found, and nothing of others or with the notes of admins.
func TestContentsShowPlayersTheirOwn(t *testing.T) {
	t.Parallel()
	c := full()
	for _, kind := range []event.Kind{event.OpenRound, event.Deposit, event.Pair, event.Withdrawal, event.Request, event.Attempt, event.Player, event.Balance} {
		c.Events = append(c.Events, event.New(kind, "of "+string(kind), "alice", event.Field{Name: "n", Value: "1"}))
	}
	for id, want := range map[string]int{
		"r1": 1, "of round.open": 5, "of deposit": 6, "of pair": 7, "of withdrawal": 8,
		"w1": -1, "of request": -1, "of attempt": -1, "of player": -1, "of balance": -1, "": -1,
	} {
		leaf, index, found := c.Find("alice", id)
		if !found {
			index = -1
		}
		if index != want || found && !hashchain.Seal(hashchain.Head{}, c).Include(leaf, index).Valid() {
			t.Errorf("%q is leaf %d, want %d", id, index, want)
		}
		if _, _, found := c.Find("bob", id); found {
			t.Errorf("%q is shown to another player", id)
		}
	}
}

// A block's hash says nothing of how rounds are booked, BooksItsRounds does.
func TestRoundsAreBookedAsTheySay(t *testing.T) {
	t.Parallel()
	booked := func(change func(c *hashchain.Content)) hashchain.Content {
		c := full()
		c.Postings = append(c.Postings, c.Rounds[0].Posting())
		change(&c)
		return c
	}
	right := booked(func(*hashchain.Content) {})
	if !right.BooksItsRounds() || hashOf(right) != hashOf(full()) {
		t.Error("a round that is booked as it says counts as another one")
	}
	for name, change := range map[string]func(c *hashchain.Content){
		"another amount":          func(c *hashchain.Content) { c.Postings[1].Transfers[0].Amount++ },
		"no booking":              func(c *hashchain.Content) { c.Postings = c.Postings[:1] },
		"a booking too many":      func(c *hashchain.Content) { c.Postings = append(c.Postings, bet.Round{ID: "r2"}.Posting()) },
		"a booking without round": func(c *hashchain.Content) { c.Rounds = nil },
	} {
		if changed := booked(change); changed.BooksItsRounds() {
			t.Errorf("%s counts as right", name)
		}
	}
}

// A leaf is proved at its own place, and no other one there.
func TestABlockHoldsItsLeaves(t *testing.T) {
	t.Parallel()
	content := full()
	block := hashchain.Seal(hashchain.Head{}, content)
	round := block.Include(hashchain.Leaf{Round: &content.Rounds[0]}, content.RoundIndex(0))
	made := block.Include(hashchain.Leaf{Event: &content.Events[0]}, content.EventIndex(0))
	if !round.Valid() || !made.Valid() || round.Index != 1 || made.Index != 4 {
		t.Errorf("the round is leaf %d, proved %v, the event leaf %d, proved %v", round.Index, round.Valid(), made.Index, made.Valid())
	}
	other := content.Rounds[0]
	other.Wager++
	for name, forged := range map[string]hashchain.Inclusion{
		"a round that is not there": {Header: block.Header, Leaf: hashchain.Leaf{Round: &other}, Index: round.Index, Path: round.Path},
		"the place of another leaf": {Header: block.Header, Leaf: round.Leaf, Index: made.Index, Path: made.Path},
		"another block":             {Header: hashchain.Next(block.Head(), hashchain.Content{}), Leaf: round.Leaf, Index: round.Index, Path: round.Path},
	} {
		if forged.Valid() {
			t.Errorf("%s is proved", name)
		}
	}
}

func TestHashesReadBack(t *testing.T) {
	t.Parallel()
	hash := hashOf(full())
	if got, err := hashchain.ParseHash(hash.String()); err != nil || got != hash {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"", "00", strings.Repeat("0", 63), strings.Repeat("0", 66), strings.Repeat("g", 64)} {
		if _, err := hashchain.ParseHash(text); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func ExampleNext() {
	first := hashchain.Next(hashchain.Head{}, hashchain.Content{At: time.Unix(0, 0)})
	second := hashchain.Next(first.Head(), hashchain.Content{At: time.Unix(1, 0)})
	forged := hashchain.Next(first.Head(), hashchain.Content{At: time.Unix(2, 0)})
	fmt.Println(first.Seq, second.Seq, second.Hash() == forged.Hash())
	fmt.Print(first.Text())
	// Output:
	// 1 2 false
	// casino block 3
	// lane: 0
	// seq: 1
	// epoch: 0
	// previous: 0000000000000000000000000000000000000000000000000000000000000000
	// time: 0
	// root: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
	// size: 0
}
