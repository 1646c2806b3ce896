package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/casino-service/casino/domain/proof"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/seal"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
)

// SealedRows serves ports.SealedRows. This store doesn't seal blocks, because only the
// process can change them.
func (s *Store) SealedRows(ctx context.Context, visit func(seal.Row) error) error {
	for _, row := range s.sealedRows() {
		if row.Seal == "" {
			continue
		}
		if err := cmp.Or(ctx.Err(), visit(row)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) sealedRows() (all []seal.Row) {
	defer s.locked()()
	for _, address := range s.knownWallets() {
		for _, id := range slices.Sorted(maps.Keys(s.wallets[address].Withdrawals)) {
			w := s.wallets[address].Withdrawals[id]
			all = append(all, seal.Row{Purpose: withdrawal.RequestPurpose, ID: id, Message: w.SealedRequest(), Seal: w.Seal})
			for _, a := range w.Approvals {
				all = append(all, seal.Row{
					Purpose: withdrawal.ApprovalPurpose, ID: id + "/" + string(a.By), Message: w.SealedApproval(a), Seal: a.Seal,
				})
			}
			for _, a := range s.attempts[id] {
				all = append(all, seal.Row{
					Purpose: withdrawal.AttemptPurpose, ID: id + "/" + strconv.Itoa(a.Number), Message: a.Sealed(), Seal: a.Seal,
				})
			}
		}
	}
	list := s.roleList()
	all = append(all, seal.Row{Purpose: rbac.RolesPurpose, ID: "list", Message: list.Sealed(), Seal: list.Seal})
	for _, terms := range s.tokens {
		all = append(all, seal.Row{Purpose: token.TermsPurpose, ID: string(terms.Mint), Message: terms.Sealed(), Seal: terms.Seal})
	}
	for w, p := range s.proofs {
		all = append(all, seal.Row{Purpose: proof.Purpose, ID: string(w), Message: p.Sealed(), Seal: p.Seal})
	}
	return all
}

// Reseal serves ports.SealedRows.
func (s *Store) Reseal(ctx context.Context, replaced []seal.Replacement) (int, error) {
	defer s.locked()()
	put := 0
	for _, r := range replaced {
		if err := ctx.Err(); err != nil {
			return put, err
		}
		if s.reseal(r) {
			put++
		}
	}
	return put, nil
}

func (s *Store) reseal(r seal.Replacement) bool {
	id, part, _ := strings.Cut(r.ID, "/")
	switch r.Purpose {
	case rbac.RolesPurpose:
		return replaceSeal(&s.listed.Seal, r)
	case token.TermsPurpose:
		for mint, terms := range s.tokens {
			if string(mint) == r.ID && replaceSeal(&terms.Seal, r) {
				s.tokens[mint] = terms
				return true
			}
		}
	case proof.Purpose:
		for w, p := range s.proofs {
			if string(w) == r.ID && replaceSeal(&p.Seal, r) {
				s.proofs[w] = p
				return true
			}
		}
	case withdrawal.AttemptPurpose:
		number, _ := strconv.Atoi(part)
		return number > 0 && number <= len(s.attempts[id]) && replaceSeal(&s.attempts[id][number-1].Seal, r)
	default:
		return s.resealWithdrawal(r, id, part)
	}
	return false
}

func (s *Store) resealWithdrawal(r seal.Replacement, id, by string) bool {
	for address, v := range s.wallets {
		w, known := v.Withdrawals[id]
		if !known {
			continue
		}
		place := &w.Seal
		if r.Purpose == withdrawal.ApprovalPurpose {
			w.Approvals = slices.Clone(w.Approvals)
			at := slices.IndexFunc(w.Approvals, func(a withdrawal.Approval) bool { return string(a.By) == by })
			if at < 0 {
				return false
			}
			place = &w.Approvals[at].Seal
		}
		if !replaceSeal(place, r) {
			return false
		}
		v.Withdrawals = maps.Clone(v.Withdrawals)
		v.Withdrawals[id] = w
		s.wallets[address] = v
		return true
	}
	return false
}

// replaceSeal replaces a row's seal if it is still the one that was read.
func replaceSeal(place *string, r seal.Replacement) bool {
	if *place != r.Seal {
		return false
	}
	*place = r.By
	return true
}
