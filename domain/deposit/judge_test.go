package deposit_test

import (
	"crypto/ed25519"
	"math"
	"testing"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// person makes a wallet for a name of one letter.
func person(name byte) string {
	raw := make([]byte, ed25519.SeedSize)
	raw[0] = name
	address, err := wallet.FromPublicKey(ed25519.NewKeyFromSeed(raw).Public().(ed25519.PublicKey))
	if err != nil {
		panic(err)
	}
	return string(address)
}

var (
	alice, bob, house = person('a'), person('b'), person('t')
	usd               = money.Token(person('m'))

	tokenTerms = token.Terms{Mint: usd, Decimals: 6, Program: token.SPL, MinDeposit: 100}
	solTerms   = token.Terms{Mint: money.SOL, Decimals: 9, Program: token.System, MinDeposit: 100}
	treasury   = deposit.Treasury{Owner: house, TokenAccount: "house/usd", WrappedSOL: "house/wsol"}
)

// holding is one token account of the accepted token before and after, with the same
// owner.
func holding(account, owner string, pre, post uint64) deposit.TokenChange {
	return deposit.TokenChange{
		Account: account, Mint: usd, Program: token.SPL, Decimals: 6, OwnerPre: owner, OwnerPost: owner, Pre: pre, Post: post,
	}
}

// landed is a finalized transaction that alice signed.
func landed(tokens ...deposit.TokenChange) deposit.Observation {
	return deposit.Observation{Signature: "s", Found: true, Finalized: true, Signers: []string{alice}, Tokens: tokens}
}

func with(obs deposit.Observation, change func(*deposit.Observation)) deposit.Observation {
	change(&obs)
	return obs
}

func altered(c deposit.TokenChange, change func(*deposit.TokenChange)) deposit.TokenChange {
	change(&c)
	return c
}

// paid is a plain valid deposit: alice pays 1000.
func paid() deposit.Observation {
	return landed(holding("alice/usd", alice, 5000, 4000), holding("house/usd", house, 70, 1070))
}

type row struct {
	name   string
	obs    deposit.Observation
	status deposit.Status
	reason deposit.Reason
	amount money.Amount
	sender string
}

func TestTokenDeposits(t *testing.T) {
	t.Parallel()
	const credited, review, rejected, pending = deposit.Credited, deposit.Review, deposit.Rejected, deposit.Pending
	handedToBob := func(c *deposit.TokenChange) { c.OwnerPost = bob }
	rows := []row{
		{"what arrived is credited", paid(), credited, "", 1000, alice},
		{"a transaction nobody saw is pending, never rejected", deposit.Observation{Signature: "s"}, pending, deposit.NotFound, 0, ""},
		{"one that isn't finalized is pending", with(paid(), func(o *deposit.Observation) { o.Finalized = false }), pending, "", 0, ""},
		{"a failure that isn't finalized may still be rolled back", with(paid(), func(o *deposit.Observation) { o.Finalized, o.Failed = false, true }), pending, "", 0, ""},
		{"a failed transaction moved nothing", with(paid(), func(o *deposit.Observation) { o.Failed = true }), rejected, deposit.TransactionFailed, 0, ""},
		{"a missing pre is zero", landed(holding("alice/usd", alice, 1000, 0),
			altered(holding("house/usd", house, 0, 1000), func(c *deposit.TokenChange) { c.OwnerPre = "" })), credited, "", 1000, alice},
		{"a missing post is zero: the sender closed the account", landed(
			altered(holding("alice/usd", alice, 1000, 0), func(c *deposit.TokenChange) { c.OwnerPost = "" }),
			holding("house/usd", house, 0, 1000)), credited, "", 1000, alice},
		{"the treasury's account closed", landed(holding("alice/usd", alice, 5000, 4000),
			altered(holding("house/usd", house, 70, 0), func(c *deposit.TokenChange) { c.OwnerPost = "" })), rejected, deposit.NoCredit, 0, ""},
		{"with a transfer fee what arrived counts", landed(holding("alice/usd", alice, 5000, 4000), holding("house/usd", house, 0, 990)), credited, "", 990, alice},
		{"two accounts of the sender count together", landed(holding("alice/usd", alice, 600, 0), holding("alice/more", alice, 400, 0),
			holding("house/usd", house, 0, 1000)), credited, "", 1000, alice},
		{"several receivers are the sender's own business", landed(holding("alice/usd", alice, 5000, 3000), holding("bob/usd", bob, 0, 1000),
			holding("house/usd", house, 0, 1000)), credited, "", 1000, alice},
		{"another token beside it doesn't matter", landed(holding("alice/usd", alice, 1000, 0), holding("house/usd", house, 0, 1000),
			altered(holding("bob/eur", bob, 10, 0), func(c *deposit.TokenChange) { c.Mint = money.Token(person('e')) })), credited, "", 1000, alice},

		{"nothing reached the treasury", landed(holding("alice/usd", alice, 5000, 4000), holding("bob/usd", bob, 0, 1000)), rejected, deposit.NoCredit, 0, ""},
		{"the treasury paid", landed(holding("alice/usd", alice, 0, 70), holding("house/usd", house, 70, 0)), rejected, deposit.NoCredit, 0, ""},
		{"no balance at all", landed(), rejected, deposit.NoCredit, 0, ""},
		{"another account of the treasury is not where deposits arrive", landed(holding("alice/usd", alice, 5000, 4000),
			holding("house/other", house, 0, 1000)), rejected, deposit.NoCredit, 0, ""},
		{"naive: an account of the sender's is handed over to the treasury", landed(
			deposit.TokenChange{Account: "alice/usd", Mint: usd, Program: token.SPL, Decimals: 6, OwnerPre: alice, OwnerPost: house, Pre: 1000, Post: 1000}), rejected, deposit.NoCredit, 0, ""},
		{"naive: another token to the treasury", landed(
			altered(holding("alice/eur", alice, 1000, 0), func(c *deposit.TokenChange) { c.Mint = money.Token(person('e')) }),
			altered(holding("house/eur", house, 0, 1000), func(c *deposit.TokenChange) { c.Mint = money.Token(person('e')) })), rejected, deposit.NoCredit, 0, ""},
		{"wrong mint in the treasury's account", landed(holding("alice/usd", alice, 5000, 4000),
			altered(holding("house/usd", house, 0, 1000), func(c *deposit.TokenChange) { c.Mint = money.Token(person('e')) })), rejected, deposit.WrongToken, 0, ""},
		{"wrong program", landed(holding("alice/usd", alice, 5000, 4000),
			altered(holding("house/usd", house, 0, 1000), func(c *deposit.TokenChange) { c.Program = token.Token2022 })), rejected, deposit.WrongToken, 0, ""},
		{"wrong decimals", landed(holding("alice/usd", alice, 5000, 4000),
			altered(holding("house/usd", house, 0, 1000), func(c *deposit.TokenChange) { c.Decimals = 9 })), rejected, deposit.WrongToken, 0, ""},
		{"the treasury's account went to another owner", landed(holding("alice/usd", alice, 5000, 4000),
			altered(holding("house/usd", house, 0, 1000), handedToBob)), rejected, deposit.OwnerChanged, 0, ""},
		{"the treasury's account came from another owner", landed(holding("alice/usd", alice, 5000, 4000),
			altered(holding("house/usd", house, 0, 1000), func(c *deposit.TokenChange) { c.OwnerPre = bob })), rejected, deposit.OwnerChanged, 0, ""},
		{"an amount without an owner", landed(holding("alice/usd", alice, 5000, 4000),
			altered(holding("house/usd", house, 0, 1000), func(c *deposit.TokenChange) { c.OwnerPost = "" })), rejected, deposit.OwnerChanged, 0, ""},
		{"the treasury signed", with(paid(), func(o *deposit.Observation) { o.Signers = []string{alice, house} }), rejected, deposit.TreasurySigned, 0, ""},

		{"naive: the first signer is not the sender", with(landed(holding("bob/usd", bob, 1000, 0), holding("house/usd", house, 0, 1000)),
			func(o *deposit.Observation) { o.Signers = []string{alice, bob} }), rejected, deposit.NotSender, 0, bob},
		{"a later signer who paid is the sender", with(paid(), func(o *deposit.Observation) { o.Signers = []string{bob, alice} }), credited, "", 1000, alice},
		{"naive: a memo names the claimant, another one paid", with(landed(holding("bob/usd", bob, 1000, 0), holding("house/usd", house, 0, 1000)),
			func(o *deposit.Observation) { o.Signers = []string{bob} }), rejected, deposit.NotSender, 0, bob},
		{"naive: the claimant as delegate of the one who paid", landed(holding("bob/usd", bob, 1000, 0), holding("house/usd", house, 0, 1000)), rejected, deposit.NotSender, 0, ""},
		{"naive: the claimant paid by a delegate without signing", with(paid(), func(o *deposit.Observation) { o.Signers = []string{bob} }), rejected, deposit.NotSender, 0, ""},
		{"naive: a self-transfer beside somebody else's payment", landed(holding("alice/usd", alice, 1000, 0), holding("alice/more", alice, 0, 1000),
			holding("bob/usd", bob, 1000, 0), holding("house/usd", house, 0, 1000)), rejected, deposit.NotSender, 0, ""},
		{"the claimant received in it", landed(holding("alice/usd", alice, 0, 10), holding("bob/usd", bob, 1010, 0), holding("house/usd", house, 0, 1000)), rejected, deposit.NotSender, 0, ""},
		{"nobody's balance fell: it was minted", landed(holding("house/usd", house, 0, 1000)), rejected, deposit.NotSender, 0, ""},
		{"the rest was minted", landed(holding("alice/usd", alice, 10, 0), holding("house/usd", house, 0, 1000)), rejected, deposit.NotSender, 0, ""},
		{"two senders", landed(holding("alice/usd", alice, 5000, 4000), holding("bob/usd", bob, 10, 0), holding("house/usd", house, 0, 1000)), review, deposit.SeveralSenders, 1000, ""},
		{"two senders who share it", landed(holding("alice/usd", alice, 5000, 4400), holding("bob/usd", bob, 400, 0), holding("house/usd", house, 0, 1000)), review, deposit.SeveralSenders, 1000, ""},
		{"two senders, neither of them the claimant", with(landed(holding("bob/usd", bob, 600, 0), holding("carol/usd", person('c'), 400, 0), holding("house/usd", house, 0, 1000)),
			func(o *deposit.Observation) { o.Signers = []string{alice, bob} }), rejected, deposit.NotSender, 0, ""},
		{"another account of the treasury paid too", landed(holding("alice/usd", alice, 1000, 0), holding("house/other", house, 500, 0), holding("house/usd", house, 0, 1000)), review, deposit.SeveralSenders, 1000, ""},
		{"an unknown owner paid too", landed(holding("alice/usd", alice, 1000, 0),
			altered(holding("x", "", 5, 0), func(*deposit.TokenChange) {}), holding("house/usd", house, 0, 1000)), review, deposit.SeveralSenders, 1000, ""},
		{"naive: the claimant's account is handed to a friend and the credit is minted", landed(
			deposit.TokenChange{Account: "alice/usd", Mint: usd, Program: token.SPL, Decimals: 6, OwnerPre: alice, OwnerPost: bob, Pre: 1000, Post: 1000},
			holding("house/usd", house, 0, 1000)), review, deposit.OwnerChanged, 1000, alice},

		{"below the minimum", landed(holding("alice/usd", alice, 99, 0), holding("house/usd", house, 0, 99)), rejected, deposit.BelowMinimum, 0, alice},
		{"the minimum itself", landed(holding("alice/usd", alice, 100, 0), holding("house/usd", house, 0, 100)), credited, "", 100, alice},
		{"the largest amount", landed(holding("alice/usd", alice, math.MaxInt64, 0), holding("house/usd", house, 0, math.MaxInt64)), credited, "", math.MaxInt64, alice},
		{"above the largest amount", landed(holding("alice/usd", alice, math.MaxInt64+1, 0), holding("house/usd", house, 0, math.MaxInt64+1)), review, deposit.AmountTooLarge, 0, alice},
		{"falls that no 64 bits hold", landed(holding("alice/usd", alice, math.MaxUint64, 0), holding("alice/more", alice, math.MaxUint64, 0),
			holding("house/usd", house, 0, 5000)), credited, "", 5000, alice},
	}
	check(t, rows, tokenTerms)
}

func check(t *testing.T, rows []row, terms token.Terms) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			want := deposit.Verdict{Status: r.status, Reason: r.reason, Amount: r.amount, Sender: wallet.Address(r.sender)}
			if got := deposit.Judge(r.obs, wallet.Address(alice), terms, treasury); got != want {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
		})
	}
}

func lamports(changes ...deposit.LamportChange) deposit.Observation {
	return deposit.Observation{Signature: "s", Found: true, Finalized: true, Signers: []string{alice}, Lamports: changes}
}

func wrapped(account, owner string, pre, post uint64) deposit.TokenChange {
	return deposit.TokenChange{
		Account: account, Mint: money.SOL, Program: token.SPL, Decimals: 9, OwnerPre: owner, OwnerPost: owner, Pre: pre, Post: post,
	}
}

func closed(c deposit.TokenChange) deposit.TokenChange {
	c.OwnerPost, c.Post = "", 0
	return c
}

func TestSOLDeposits(t *testing.T) {
	t.Parallel()
	const credited, review, rejected, pending = deposit.Credited, deposit.Review, deposit.Rejected, deposit.Pending
	plain := lamports(deposit.LamportChange{alice, 9000, 3000}, deposit.LamportChange{house, 70, 1070})
	tokens := func(o deposit.Observation, changes ...deposit.TokenChange) deposit.Observation {
		o.Tokens = changes
		return o
	}
	rows := []row{
		{"the treasury's lamports rose by it", plain, credited, "", 1000, alice},
		{"the treasury had no lamports yet", lamports(deposit.LamportChange{alice, 9000, 3000}, deposit.LamportChange{house, 0, 1000}), credited, "", 1000, alice},
		{"pending before finality", with(plain, func(o *deposit.Observation) { o.Finalized = false }), pending, "", 0, ""},
		{"failed", with(plain, func(o *deposit.Observation) { o.Failed = true }), rejected, deposit.TransactionFailed, 0, ""},
		{"the treasury signed", with(plain, func(o *deposit.Observation) { o.Signers = []string{house, alice} }), rejected, deposit.TreasurySigned, 0, ""},
		{"the treasury isn't in it", lamports(deposit.LamportChange{alice, 9000, 3000}), rejected, deposit.NoCredit, 0, ""},
		{"the treasury's lamports stayed", lamports(deposit.LamportChange{alice, 9000, 3000}, deposit.LamportChange{house, 5, 5}), rejected, deposit.NoCredit, 0, ""},
		{"another one paid, the claimant signed first and paid the fee alone", with(lamports(deposit.LamportChange{alice, 9000, 8500},
			deposit.LamportChange{bob, 9000, 8000}, deposit.LamportChange{house, 0, 1000}),
			func(o *deposit.Observation) { o.Signers = []string{alice, bob} }), review, deposit.SeveralSenders, 1000, ""},
		{"another one paid all", with(lamports(deposit.LamportChange{bob, 9000, 8000}, deposit.LamportChange{house, 0, 1000}),
			func(o *deposit.Observation) { o.Signers = []string{bob} }), rejected, deposit.NotSender, 0, bob},
		{"the claimant didn't sign", with(plain, func(o *deposit.Observation) { o.Signers = []string{bob} }), rejected, deposit.NotSender, 0, ""},
		{"below the minimum", lamports(deposit.LamportChange{alice, 9000, 3000}, deposit.LamportChange{house, 0, 99}), rejected, deposit.BelowMinimum, 0, alice},
		{"above the largest amount", lamports(deposit.LamportChange{alice, math.MaxUint64, 0}, deposit.LamportChange{house, 0, math.MaxInt64 + 1}), review, deposit.AmountTooLarge, 0, alice},
		{"the rent of an empty token account closed to the treasury", tokens(lamports(deposit.LamportChange{alice, 9000, 4000},
			deposit.LamportChange{"alice/usd", 20_000, 0}, deposit.LamportChange{house, 0, 20_000}),
			altered(holding("alice/usd", alice, 0, 0), func(c *deposit.TokenChange) { c.OwnerPost = "" })), review, deposit.SeveralSenders, 20_000, ""},

		{"wrapped SOL closed to the treasury", tokens(lamports(deposit.LamportChange{alice, 9000, 4000},
			deposit.LamportChange{"alice/wsol", 3000, 0}, deposit.LamportChange{house, 0, 3000}),
			closed(wrapped("alice/wsol", alice, 1000, 0))), review, deposit.WrappedSOL, 3000, ""},
		{"the same from a node that lists the closed account on", tokens(lamports(deposit.LamportChange{alice, 9000, 4000},
			deposit.LamportChange{"alice/wsol", 3000, 0}, deposit.LamportChange{house, 0, 3000}),
			wrapped("alice/wsol", alice, 1000, 1000)), review, deposit.WrappedSOL, 3000, ""},
		{"wrapped SOL paid to the treasury's account of it", tokens(lamports(deposit.LamportChange{alice, 9000, 4000},
			deposit.LamportChange{"alice/wsol", 3000, 2000}, deposit.LamportChange{"house/wsol", 3000, 4000}),
			wrapped("alice/wsol", alice, 1000, 0), wrapped("house/wsol", house, 0, 1000)), review, deposit.WrappedSOL, 1000, ""},
		{"lamports wrapped in the treasury's account", tokens(lamports(deposit.LamportChange{alice, 9000, 3000},
			deposit.LamportChange{"house/wsol", 3000, 4000}), wrapped("house/wsol", house, 0, 1000)), review, deposit.WrappedSOL, 1000, ""},
		{"wrapped SOL opened by the sender beside a plain payment", tokens(lamports(deposit.LamportChange{alice, 9000, 5000},
			deposit.LamportChange{"alice/wsol", 3000, 0}, deposit.LamportChange{house, 0, 1000}),
			closed(wrapped("alice/wsol", alice, 1000, 0))), review, deposit.WrappedSOL, 1000, ""},
		{"somebody else's wrapped SOL closed to the treasury", with(tokens(lamports(deposit.LamportChange{bob, 9000, 4000},
			deposit.LamportChange{"bob/wsol", 3000, 0}, deposit.LamportChange{house, 0, 3000}),
			closed(wrapped("bob/wsol", bob, 1000, 0))), func(o *deposit.Observation) { o.Signers = []string{bob} }), rejected, deposit.NotSender, 0, ""},
		{"wrapped SOL that never reached the treasury", tokens(lamports(deposit.LamportChange{alice, 9000, 12_000},
			deposit.LamportChange{"alice/wsol", 3000, 0}), closed(wrapped("alice/wsol", alice, 1000, 0))), rejected, deposit.NoCredit, 0, ""},
	}
	check(t, rows, solTerms)
}

// TestTokensAndSOLAreApart: one transaction may pay both, each by its own balances.
func TestTokensAndSOLAreApart(t *testing.T) {
	t.Parallel()
	both := paid()
	both.Lamports = []deposit.LamportChange{{alice, 9000, 3000}, {house, 70, 570}}
	for terms, want := range map[*token.Terms]money.Amount{&tokenTerms: 1000, &solTerms: 500} {
		if got := deposit.Judge(both, wallet.Address(alice), *terms, treasury); got.Status != deposit.Credited || got.Amount != want {
			t.Errorf("%s: %+v, want %d credited: one transaction may pay two tokens", terms.Program, got, want)
		}
	}
}

func TestEveryReasonIsDescribed(t *testing.T) {
	t.Parallel()
	for _, reason := range []deposit.Reason{
		deposit.NoReason, deposit.NotFound, deposit.TransactionFailed, deposit.NoCredit, deposit.NotSender, deposit.BelowMinimum,
		deposit.WrongToken, deposit.OwnerChanged, deposit.TreasurySigned, deposit.SeveralSenders, deposit.WrappedSOL, deposit.AmountTooLarge, deposit.BeforeWatch,
	} {
		if reason.Describe() == "" {
			t.Errorf("%q has no sentence", reason)
		}
	}
}
