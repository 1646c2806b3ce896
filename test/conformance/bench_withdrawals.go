package conformance

import (
	"crypto/ed25519"
	"fmt"
	"time"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/treasury"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// Items of changes of withdrawals.

// withdraw returns an item that requests a payout of native SOL.
func (b *bench) withdraw(w wallet.Address, amount money.Amount) player.Item {
	return b.withdrawIn(w, money.SOL, amount)
}

func (b *bench) withdrawIn(w wallet.Address, mint money.Token, amount money.Amount) player.Item {
	return b.withdrawOn(w, terms(mint), amount)
}

func (b *bench) withdrawOn(w wallet.Address, on token.Terms, amount money.Amount) player.Item {
	mint := on.Mint
	request := player.WithdrawalRequest{
		ID: b.id(), Terms: on, Amount: amount,
		Destination: withdrawal.Destination{Address: string(fakes.Wallet("destination"))}, Seals: fakes.Authenticator{}, At: b.now(),
	}
	return itemOf(w, request.At, player.UniqueKey{Kind: player.WithdrawalKey, ID: request.ID},
		player.Needs{Tokens: []money.Token{mint}, Open: true},
		func(v player.View) (player.Change, error) { return player.Withdraw(v, request) })
}

// bringBack returns an item of a payout that the books don't have.
func (b *bench) bringBack(w wallet.Address, id, signature string, mint money.Token, amount money.Amount) player.Item {
	lost := player.LostPayout{Movement: b.movement(id, signature, mint, amount), Requested: b.now(), At: b.now()}
	return player.Item{
		Wallet: w, At: lost.At, WhileRestored: true,
		Keys:   []player.UniqueKey{{Kind: player.WithdrawalKey, ID: id}},
		Needs:  player.Needs{Tokens: []money.Token{mint}, Withdrawals: []string{id}, Open: true},
		Decide: func(v player.View) (player.Change, error) { return player.BringBack(v, lost) },
	}
}

// movement returns a payment of the treasury with a withdrawal's id in its memo.
func (b *bench) movement(id, signature string, mint money.Token, amount money.Amount) treasury.Movement {
	return treasury.Movement{
		Signature: signature, Slot: 1, At: b.now(), WithdrawalID: id, Fee: 5,
		Payments: []treasury.Payment{{Token: mint, Amount: amount, Destination: string(fakes.Wallet("destination"))}},
	}
}

// step returns an item of any change of a withdrawal.
func (b *bench) step(w withdrawal.Withdrawal, decide func(v player.View, at time.Time) (player.Change, error)) player.Item {
	at := b.now()
	return itemOf(w.Wallet, at, operation(b.id()),
		player.Needs{Tokens: []money.Token{w.Token}, Withdrawals: []string{w.ID}, Roles: []wallet.Address{admin, other}},
		func(v player.View) (player.Change, error) { return decide(v, at) })
}

func (b *bench) cancel(w withdrawal.Withdrawal) player.Item {
	return b.step(w, func(v player.View, at time.Time) (player.Change, error) { return player.Cancel(v, w.ID, at) })
}

func (b *bench) decisionOn(w withdrawal.Withdrawal, by wallet.Address) player.WithdrawalDecision {
	return player.WithdrawalDecision{
		ID: w.ID, By: by, Policy: b.policy, Terms: terms(w.Token), Seals: fakes.Authenticator{}, Note: "looks good", Reason: "looks odd",
		AuditID: b.id(), RequestID: "req",
	}
}

// approve returns an item of an approval that sees the withdrawal's own votes and counts no
// others.
func (b *bench) approve(w withdrawal.Withdrawal, by wallet.Address) player.Item {
	decision := b.decisionOn(w, by)
	item := b.step(w, func(v player.View, at time.Time) (player.Change, error) {
		decision.At = at
		if by == admin { // who has a signing key
			decision.Signing, decision.Timestamp = withdrawal.Signing{Treasury: "treasury"}, at.UnixMilli()
			decision.Signature = ed25519.Sign(fakes.Key("admin"), []byte(w.ApprovalMessage("treasury", decision.Timestamp)))
		}
		return player.Approve(v, decision)
	})
	item.Needs.Votes = &player.VotesNeed{Of: w.ID, By: by, At: item.At}
	return item
}

func (b *bench) reject(w withdrawal.Withdrawal, by wallet.Address) player.Item {
	decision := b.decisionOn(w, by)
	return b.step(w, func(v player.View, at time.Time) (player.Change, error) {
		decision.At = at
		return player.Reject(v, decision)
	})
}

// sign returns an item that stores a signed transaction of the withdrawal.
func (b *bench) sign(w withdrawal.Withdrawal, number int) player.Item {
	attempt := withdrawal.Attempt{
		WithdrawalID: w.ID, Number: number, Signature: fakes.Signature(fmt.Sprint(w.ID, number)),
		Transaction: []byte{0, 1, 2, 0xff, byte(number)}, Blockhash: string(fakes.Mint("block")),
		LastValidHeight: 1<<63 + 7, Slot: 1<<64 - 1, CreatedAt: b.now(), Seal: "k1:seal",
	}
	return b.step(w, func(v player.View, at time.Time) (player.Change, error) { return player.Sign(v, attempt, at) })
}

func (b *bench) settle(w withdrawal.Withdrawal, number int, outcome withdrawal.Outcome) player.Item {
	return b.step(w, func(v player.View, at time.Time) (player.Change, error) {
		return player.Settle(v, w.ID, number, outcome, at)
	})
}
