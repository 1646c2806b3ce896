package reads

import (
	"cmp"
	"context"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/rows"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/ports"
)

var _ ports.Rounds = (*Reads)(nil)

// Round serves ports.Rounds.
func (r *Reads) Round(ctx context.Context, id string) (bet.Round, error) {
	missing := fault.New(fault.NotFound, "no round %q", id)
	if !db.IsID(id) {
		return bet.Round{}, missing
	}
	key := r.db.Dialect.ID(id)
	found, err := gathered(ctx, r.kept, "read round", rows.SelectRound, []any{key, key}, rows.ScanRound)
	if err != nil || len(found) == 0 {
		return bet.Round{}, cmp.Or[error](err, missing)
	}
	return found[0], nil
}

// roundLists are the house's own rounds and those of providers under a filter. The
// house has few games, so that one index with a wallet and one without hold every
// combination of game, token and agent; providers have thousands, and an index for
// filters without a game beside each. A wallet's rounds of one agent are a walk down
// the wallet's: all are of that agent but those of a player who came from another. Own
// rounds that are late are a list besides.
func (r *Reads) roundLists(filter ports.RoundFilter) []list {
	own, provided := listOf(rows.WholeRounds, "r.id"), listOf(rows.RoundsOfProviders, "r.id")
	own.from, own.joined = rows.Rounds.From(), rows.PairsOfRounds
	own.keyed, own.uuid, own.ofKeys, provided.uuid, provided.ofKeys = true, true, true, true, true
	late := own
	for _, l := range [...]*list{&own, &provided} {
		l.owned(r.db.Dialect, filter.Wallet)
		r.between(l, "r.at", filter.From, filter.To, rows.IDSlack)
	}
	wants := []wanted{{"game", filter.GameType}, {"token", string(filter.Token)}, {"agent", filter.Agent}}
	ownCells, providedCells := keptCells("rounds", true), keptCells("provider_rounds", true)
	switch of := filter; {
	case of.Wallet != "" && of.GameType != "":
		own.by(ownCells, wants, "game", "token")
		provided.by(providedCells, wants, "game", "token")
	case of.Wallet != "" && of.Token != "":
		own.by(ownCells, wants, "game", "token")
		provided.by("", wants)
	case of.GameType != "":
		own.by(ownCells, wants, "game", "token", "agent")
		provided.by(providedCells, wants, "game", "token", "agent")
	case of.Wallet == "" && (of.Token != "" || of.Agent != ""):
		own.by(ownCells, wants, "game", "token", "agent")
		provided.by(keptCells("provider_rounds", false), wants, "token", "agent")
	default:
		own.by("", wants)
		provided.by("", wants)
	}
	if filter.From.IsZero() || r.idFrom == nil {
		return []list{own, provided}
	}
	late.owned(r.db.Dialect, filter.Wallet)
	late.by("", wants)
	return []list{own, provided, r.late(late, filter.From, filter.To)}
}

// Rounds serves ports.Rounds.
func (r *Reads) Rounds(ctx context.Context, filter ports.RoundFilter, page ports.Page) (ports.RoundPage, error) {
	found, info, err := listed(ctx, r, "list rounds", page, rows.WholeRounds, func(round *bet.Round) string { return round.ID }, r.roundLists(filter)...)
	return ports.RoundPage{Rounds: found, PageInfo: info}, err
}

// RecentRounds serves ports.Rounds.
func (r *Reads) RecentRounds(ctx context.Context, n int) ([]bet.Round, error) {
	lists := r.roundLists(ports.RoundFilter{})
	lists[0].is("NOT r.void")
	lists[1].is("r.wager > 0")
	text, arguments := r.chosen(lists, "", n)
	return gathered(ctx, r.kept, "read recent rounds", text+" LIMIT ?", append(arguments, n), rows.ScanRound)
}
