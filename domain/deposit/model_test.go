package deposit_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/wallet"
)

// bank is a small token program: it moves money as a chain would, and records who
// ordered each transfer, which the rules can't see.
type bank struct {
	accounts []*account
	signers  []string
	// given is how much each owner gave away by their own signature: paid to others, or
	// handed over with its account.
	given map[string]uint64
}

type account struct {
	name, ownerPre, owner string
	pre, amount           uint64
	delegate              string
}

func (b *bank) signed(owner string) bool { return slices.Contains(b.signers, owner) }

// move pays from one account to another by order of the owner or of a delegate; false if
// no signer may order it.
func (b *bank) move(from, to *account, amount uint64) bool {
	byOwner := b.signed(from.owner)
	if from == to || amount > from.amount || from.owner == "" || to.owner == "" || !byOwner && !b.signed(from.delegate) {
		return false
	}
	from.amount, to.amount = from.amount-amount, to.amount+amount
	if from.owner != to.owner && byOwner {
		b.given[from.owner] += amount
	}
	return true
}

func (b *bank) observed(terms token.Terms) deposit.Observation {
	obs := deposit.Observation{Signature: "s", Found: true, Finalized: true, Signers: b.signers}
	for _, a := range b.accounts {
		obs.Tokens = append(obs.Tokens, deposit.TokenChange{
			Account: a.name, Mint: terms.Mint, Program: terms.Program, Decimals: terms.Decimals,
			OwnerPre: a.ownerPre, OwnerPost: a.owner, Pre: a.pre, Post: a.amount,
		})
	}
	return obs
}

// anyTransaction runs random operations of a few people and the treasury.
func anyTransaction(t *rapid.T) *bank {
	people := []string{alice, bob, person('c'), house}
	b := &bank{given: map[string]uint64{}}
	for _, p := range people {
		if odds := rapid.IntRange(0, 9).Draw(t, "signs"); odds < 1 || odds < 7 && p != house {
			b.signers = append(b.signers, p)
		}
	}
	b.accounts = append(b.accounts, &account{name: treasury.TokenAccount, ownerPre: house, owner: house, pre: 50, amount: 50})
	for i := range rapid.IntRange(1, 5).Draw(t, "accounts") {
		owner, pre := rapid.SampledFrom(people).Draw(t, "owner"), rapid.Uint64Range(0, 1000).Draw(t, "pre")
		b.accounts = append(b.accounts, &account{
			name: string(rune('1' + i)), ownerPre: owner, owner: owner, pre: pre, amount: pre,
			delegate: rapid.SampledFrom(append(people, "", "")).Draw(t, "delegate"),
		})
	}
	for range rapid.IntRange(0, 8).Draw(t, "operations") {
		from := rapid.SampledFrom(b.accounts).Draw(t, "from")
		to := rapid.SampledFrom(b.accounts).Draw(t, "to")
		switch rapid.IntRange(0, 9).Draw(t, "operation") {
		case 0: // hand an account over
			if b.signed(from.owner) {
				b.given[from.owner] += from.amount
				from.owner, from.delegate = rapid.SampledFrom(people).Draw(t, "new owner"), ""
			}
		case 1: // close an empty one
			if b.signed(from.owner) && from.amount == 0 {
				from.owner = ""
			}
		case 2: // the mint's authority mints money
			to.amount += rapid.Uint64Range(0, 300).Draw(t, "minted")
		case 3, 4:
			b.move(from, b.accounts[0], from.amount)
		default:
			b.move(from, to, rapid.Uint64Range(0, from.amount).Draw(t, "amount"))
		}
		for _, a := range b.accounts {
			if a.owner == "" && a.amount > 0 {
				a.owner = a.ownerPre // minting to a closed account fails on a chain, so nothing changes
			}
		}
	}
	return b
}

// TestJudgeAgainstAModelBank compares verdicts with the model: a credited claimant
// signed and willingly paid it, the credit is at most the treasury's gain, and no other
// owner lost anything.
func TestJudgeAgainstAModelBank(t *testing.T) {
	t.Parallel()
	credits := 0
	judge := func(t *rapid.T) {
		b := anyTransaction(t)
		obs := b.observed(tokenTerms)
		own := b.accounts[0]
		total := 0
		for _, claimant := range []string{alice, bob, person('c'), house} {
			verdict := deposit.Judge(obs, wallet.Address(claimant), tokenTerms, treasury)
			if verdict.Status != deposit.Credited {
				if verdict.Status == deposit.Rejected && verdict.Amount != 0 {
					t.Fatalf("rejected with an amount: %+v", verdict)
				}
				continue
			}
			credits, total = credits+1, total+1
			if !b.signed(claimant) || b.signed(house) || claimant == house {
				t.Fatalf("%s is credited without their signature, or with the treasury's", claimant)
			}
			if own.owner != house || own.amount <= own.pre || uint64(verdict.Amount) > own.amount-own.pre {
				t.Fatalf("credited %d, the treasury went from %d to %d", verdict.Amount, own.pre, own.amount)
			}
			if b.given[claimant] < uint64(verdict.Amount) {
				t.Fatalf("credited %d of which only %d was given", verdict.Amount, b.given[claimant])
			}
			for _, other := range []string{bob, person('c'), house, alice} {
				if other != claimant && lostBy(b, other) > 0 {
					t.Fatalf("%s is credited and %s lost %d", claimant, other, lostBy(b, other))
				}
			}
		}
		if total > 1 {
			t.Fatal("two claimants are credited for one payment")
		}
	}
	// rapid chooses how many transactions one check draws (fewer with -short).
	for rounds := 0; rounds < 20 || credits < 50; rounds++ {
		if rounds == 500 {
			t.Fatalf("only %d credits: the transactions are too wild to prove anything", credits)
		}
		rapid.Check(t, judge)
	}
}

// lostBy returns how much an owner's money fell over the owner's accounts, without the
// treasury's.
func lostBy(b *bank, owner string) int64 {
	var lost int64
	for _, a := range b.accounts[1:] {
		if a.ownerPre == owner {
			lost += int64(a.pre)
		}
		if a.owner == owner {
			lost -= int64(a.amount)
		}
	}
	return lost
}

// TestSOLNeverCreditsMoreThanArrived runs random lamport changes, including impossible
// ones: the rules must hold for any answer of a node.
func TestSOLNeverCreditsMoreThanArrived(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		obs := deposit.Observation{
			Signature: "s", Found: rapid.Bool().Draw(t, "found"), Finalized: rapid.Bool().Draw(t, "finalized"),
			Failed: rapid.IntRange(0, 4).Draw(t, "failed") == 0,
		}
		people := []string{alice, bob, house}
		var rise, fell uint64
		for _, p := range people {
			if rapid.Bool().Draw(t, "signs") {
				obs.Signers = append(obs.Signers, p)
			}
			pre, post := rapid.Uint64().Draw(t, "pre"), rapid.Uint64().Draw(t, "post")
			if rapid.Bool().Draw(t, "named") {
				obs.Lamports = append(obs.Lamports, deposit.LamportChange{Address: p, Pre: pre, Post: post})
				if p == house && post > pre {
					rise = post - pre
				}
				if p == alice && pre > post {
					fell = pre - post
				}
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "wrapped") == 0 {
			obs.Tokens = append(obs.Tokens, wrapped("alice/wsol", alice, rapid.Uint64().Draw(t, "w pre"), rapid.Uint64().Draw(t, "w post")))
		}
		verdict := deposit.Judge(obs, wallet.Address(alice), solTerms, treasury)
		if verdict.Status != deposit.Credited {
			return
		}
		sound := obs.Found && obs.Finalized && !obs.Failed && slices.Contains(obs.Signers, alice) && !slices.Contains(obs.Signers, house)
		if !sound || verdict.Amount != money.Amount(rise) || uint64(verdict.Amount) > fell || verdict.Amount < solTerms.MinDeposit {
			t.Fatalf("credited %+v for %+v", verdict, obs)
		}
	})
}
