package conformance

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/casino-service/casino/domain/audit"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/test/fakes"
)

// SealedRows is the suite of ports.SealedRows.
func SealedRows(t *testing.T, newStore func(t *testing.T) Store, shows ...Fault) {
	run(t, newStore, shows, sealedRowsCases)
}

var sealedRowsCases = []story{
	{"each row that carries a seal is visited with what the seal is of", Rows, func(b *bench) {
		b.sealedThings()
		seen := map[string]int{}
		for _, row := range b.sealedRows() {
			b.same(fmt.Sprint(row.Purpose, " ", row.ID), (fakes.Authenticator{}).Verify(row.Purpose, row.Message, row.Seal), nil)
			seen[row.Purpose]++
		}
		for _, purpose := range sealedPurposes {
			b.same("rows sealed as "+purpose, seen[purpose], 1)
		}
	}},
	{"a row without a seal is not visited", Rows, func(b *bench) {
		b.know(terms(usd))
		b.signIn(alice, 100)
		b.commit(b.bringBack(alice, b.id(), "paid", usd, 40))
		b.same("sealed rows", len(b.sealedRows()), 0)
	}},
	{"seals are replaced, each row's own", Rows, func(b *bench) {
		b.sealedThings()
		before := b.sealedRows()
		var replaced []seal.Replacement
		for _, row := range before {
			replaced = append(replaced, seal.Replacement{Row: row, By: "k9:" + row.Purpose})
		}
		b.same("replaced", must(b.Reseal(background, replaced))(b), len(before))
		for i, row := range b.sealedRows() {
			before[i].Seal = "k9:" + before[i].Purpose
			b.same("resealed", row, before[i])
		}
		b.same("again", must(b.Reseal(background, replaced))(b), 0)
		b.same("none", must(b.Reseal(background, nil))(b), 0)
	}},
	{"a seal that is another by now stays", Rows, func(b *bench) {
		b.sealedThings()
		before := b.sealedRows()
		var replaced []seal.Replacement
		for _, row := range before {
			row.Seal = "k1:other"
			replaced = append(replaced, seal.Replacement{Row: row, By: "k9:late"})
		}
		b.same("replaced", must(b.Reseal(background, replaced))(b), 0)
		b.same("rows", b.sealedRows(), before)
	}},
	{"an error of visit ends the walk", Logic, func(b *bench) {
		b.sealedThings()
		stop, seen := errors.New("enough"), 0
		err := b.Store.SealedRows(background, func(seal.Row) error {
			seen++
			return stop
		})
		if !errors.Is(err, stop) || seen != 1 {
			b.Errorf("%d visits, %v", seen, err)
		}
	}},
}

// sealedPurposes are those of the rows that stories seal.
var sealedPurposes = []string{
	withdrawal.RequestPurpose, withdrawal.ApprovalPurpose, withdrawal.AttemptPurpose, rbac.RolesPurpose, token.TermsPurpose, proof.Purpose,
}

// sealedThings has the service seal one of everything.
func (b *bench) sealedThings() {
	b.Helper()
	seals := fakes.Authenticator{}
	b.know(must(token.Seal([]token.Terms{terms(usd)}, seals))(b)...)
	w := b.payable(alice, usd, 2_000)
	attempt := b.sign(w, 1)
	decide := attempt.Decide
	attempt.Decide = func(v player.View) (player.Change, error) {
		change, err := decide(v)
		if err == nil {
			change.Attempt.Seal, err = seals.Seal(withdrawal.AttemptPurpose, change.Attempt.Sealed())
		}
		return change, err
	}
	b.commit(attempt)
	made := proof.Proof{Wallet: alice, At: b.now(), Rounds: 1}
	made.Seal, _ = seals.Seal(proof.Purpose, made.Sealed())
	b.ok(b.KeepWalletProof(background, made))
	b.ok(b.ChangeRoleList(background, bob, func(now rbac.List) (rbac.List, audit.Record, error) {
		next := now.With(bob, &rbac.Assignment{Role: "support", GrantedAt: b.now()}, 0)
		var err error
		next.Seal, err = seals.Seal(rbac.RolesPurpose, next.Sealed())
		return next, audit.Record{ID: b.id(), Action: audit.RoleGranted, By: admin, Target: string(bob), At: b.now()}, err
	}))
}

// sealedRows are those of the purposes that stories seal: a store seals its blocks itself.
func (b *bench) sealedRows() (all []seal.Row) {
	b.Helper()
	if err := b.Store.SealedRows(background, func(row seal.Row) error {
		if slices.Contains(sealedPurposes, row.Purpose) {
			all = append(all, row)
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	return all
}
