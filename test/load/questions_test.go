package load_test

import (
	"context"
	"time"

	"github.com/casino-service/casino/adapters/sqlstore"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
	"github.com/casino-service/casino/test/fakes"
)

// question is a read that players and admins make.
type question struct {
	name string
	// ask returns how many rows were found.
	ask   func(context.Context) (int, error)
	empty bool
	any   bool // the smaller set may have no rows
}

var (
	firstPage = ports.Page{Number: 1, Limit: ports.PageDefault}
	ninthPage = ports.Page{Number: 9, Limit: ports.PageMax}
	lastPage  = ports.Page{Number: ports.TotalMax / ports.PageMax, Limit: ports.PageMax}
	// deepPage begins in the middle of the set.
	deepPage = ports.Page{Limit: ports.PageDefault, After: idAt(newest.Add(-span/2).UnixMilli(), 0, 0)}
)

// The players of a set: an ordinary one, and the first, who plays most.
var (
	somebody = fakes.Wallet("player 17")
	foremost = fakes.Wallet("player 0")
)

func questions(store *sqlstore.Store) []question {
	return append(append(roundQuestions(store), transactionQuestions(store)...), reportQuestions(store)...)
}

func roundQuestions(store *sqlstore.Store) []question {
	rounds := func(name string, filter ports.RoundFilter, page ports.Page) question {
		return question{name: name, ask: func(ctx context.Context) (int, error) {
			answer, err := store.Rounds(ctx, filter, page)
			return len(answer.Rounds), err
		}}
	}
	days := func(from, to int) ports.RoundFilter {
		return ports.RoundFilter{From: newest.AddDate(0, 0, -from), To: newest.AddDate(0, 0, -to)}
	}
	lastWeek, someHours := days(7, 0), days(20, 19)
	lastWeek.From, lastWeek.To = lastWeek.From.Add(3*time.Hour), lastWeek.To.Add(-5*time.Hour)
	someHours.From = someHours.To.Add(-5 * time.Hour)
	someHours.To = someHours.To.Add(-time.Hour)
	gameDays := days(50, 40)
	gameDays.GameType = "limbo"
	rareDays := days(50, 40)
	rareDays.GameType = rareGame
	agentDays := gameDays
	agentDays.Agent, agentDays.Token = "acme", otherToken
	rarely := func(name string, filter ports.RoundFilter, page ports.Page) question {
		q := rounds(name, filter, page)
		q.any = true
		return q
	}
	none := rounds("unknown-game", ports.RoundFilter{GameType: "chess"}, firstPage)
	none.empty = true
	apart := rounds("agent-and-game-that-never-meet", ports.RoundFilter{Agent: "acme", GameType: rareGame}, firstPage)
	apart.empty = true
	never := rounds("history-of-foremost-game-of-others", ports.RoundFilter{Wallet: foremost, GameType: rareGame}, firstPage)
	never.empty = true
	return []question{
		rounds("all", ports.RoundFilter{}, firstPage),
		rounds("all-page-9", ports.RoundFilter{}, ninthPage),
		rounds("all-page-10", ports.RoundFilter{}, lastPage),
		rounds("all-cursor", ports.RoundFilter{}, deepPage),
		rounds("token", ports.RoundFilter{Token: money.SOL}, firstPage),
		rounds("rare-token", ports.RoundFilter{Token: rareToken}, firstPage),
		rounds("game", ports.RoundFilter{GameType: "limbo"}, firstPage),
		rounds("game-page-9", ports.RoundFilter{GameType: "limbo"}, ninthPage),
		rounds("game-cursor", ports.RoundFilter{GameType: "limbo"}, deepPage),
		rounds("rare-game", ports.RoundFilter{GameType: rareGame}, firstPage),
		rounds("rare-game-cursor", ports.RoundFilter{GameType: rareGame}, deepPage),
		rounds("rarest-game", ports.RoundFilter{GameType: rarestGame}, firstPage),
		rounds("provider-game", ports.RoundFilter{GameType: "slot-1"}, firstPage),
		none,
		rounds("agent", ports.RoundFilter{Agent: "acme"}, firstPage),
		rounds("rare-agent", ports.RoundFilter{Agent: rareAgent}, firstPage),
		rounds("house", ports.RoundFilter{Agent: "house"}, firstPage),
		rounds("agent-game-token", ports.RoundFilter{Agent: "acme", GameType: "limbo", Token: otherToken}, firstPage),
		rarely("agent-game-token-page-9", ports.RoundFilter{Agent: "acme", GameType: "limbo", Token: otherToken}, ninthPage),
		rounds("agent-token", ports.RoundFilter{Agent: "acme", Token: otherToken}, firstPage),
		rounds("game-token", ports.RoundFilter{GameType: "limbo", Token: otherToken}, firstPage),
		rounds("house-rare-game", ports.RoundFilter{Agent: "house", GameType: rareGame}, firstPage),
		apart,
		rarely("rare-agent-game-token", ports.RoundFilter{Agent: rareAgent, GameType: "limbo", Token: money.SOL}, firstPage),
		rarely("house-rare-game-rare-token", ports.RoundFilter{Agent: "house", GameType: rarestGame, Token: rareToken}, firstPage),
		rounds("agent-game-token-days", agentDays, firstPage),
		rounds("today", ports.RoundFilter{From: newest.AddDate(0, 0, -1)}, firstPage),
		rounds("last-week-in-part", lastWeek, firstPage),
		rounds("ten-old-days", days(50, 40), firstPage),
		rounds("ten-old-days-of-a-game", gameDays, firstPage),
		rounds("ten-old-days-of-a-rare-game", rareDays, firstPage),
		rounds("four-hours", someHours, firstPage),
		rounds("history", ports.RoundFilter{Wallet: somebody}, firstPage),
		rounds("history-game", ports.RoundFilter{Wallet: somebody, GameType: "limbo"}, firstPage),
		rounds("history-of-foremost", ports.RoundFilter{Wallet: foremost}, firstPage),
		rounds("history-of-foremost-game", ports.RoundFilter{Wallet: foremost, GameType: "limbo"}, firstPage),
		never,
		rounds("history-of-foremost-rarest-game", ports.RoundFilter{Wallet: foremost, GameType: rarestGame}, firstPage),
		rounds("history-of-foremost-token", ports.RoundFilter{Wallet: foremost, Token: otherToken}, firstPage),
		rarely("history-of-foremost-rare-token", ports.RoundFilter{Wallet: foremost, Token: rareToken}, firstPage),
		rounds("history-of-foremost-agent", ports.RoundFilter{Wallet: foremost, Agent: "house"}, firstPage),
		rarely("history-of-foremost-provider-game", ports.RoundFilter{Wallet: foremost, GameType: "slot-1"}, firstPage),
		rounds("history-of-foremost-game-token", ports.RoundFilter{Wallet: foremost, GameType: "limbo", Token: otherToken}, firstPage),
		rounds("history-of-foremost-days", ports.RoundFilter{Wallet: foremost, From: gameDays.From, To: gameDays.To}, firstPage),
		{name: "recent-bets", ask: func(ctx context.Context) (int, error) {
			recent, err := store.RecentRounds(ctx, 50)
			return len(recent), err
		}},
	}
}

func transactionQuestions(store *sqlstore.Store) []question {
	transactions := func(name string, filter ports.TransactionFilter, page ports.Page) question {
		return question{name: "transactions" + name, ask: func(ctx context.Context) (int, error) {
			answer, err := store.Transactions(ctx, filter, page)
			return len(answer.Transactions), err
		}}
	}
	never := transactions("-wallet-type-of-others", ports.TransactionFilter{Wallet: foremost, Type: ports.WithdrawalTransaction}, firstPage)
	never.empty = true
	return []question{
		transactions("", ports.TransactionFilter{}, firstPage),
		transactions("-page-3", ports.TransactionFilter{}, ports.Page{Number: 3, Limit: ports.PageMax}),
		transactions("-cursor", ports.TransactionFilter{}, deepPage),
		transactions("-deposit", ports.TransactionFilter{Type: ports.DepositTransaction}, firstPage),
		transactions("-withdrawal", ports.TransactionFilter{Type: ports.WithdrawalTransaction}, firstPage),
		transactions("-adjustment", ports.TransactionFilter{Type: ports.AdjustmentTransaction}, firstPage),
		transactions("-failed", ports.TransactionFilter{Status: "failed"}, firstPage),
		transactions("-rejected", ports.TransactionFilter{Status: "rejected"}, firstPage),
		transactions("-completed", ports.TransactionFilter{Type: ports.WithdrawalTransaction, Status: "completed"}, firstPage),
		transactions("-token", ports.TransactionFilter{Token: money.SOL}, firstPage),
		transactions("-agent", ports.TransactionFilter{Agent: "acme"}, firstPage),
		transactions("-wallet", ports.TransactionFilter{Wallet: foremost}, firstPage),
		transactions("-wallet-type", ports.TransactionFilter{Wallet: foremost, Type: ports.DepositTransaction}, firstPage),
		transactions("-wallet-status", ports.TransactionFilter{Wallet: foremost, Status: "completed"}, firstPage),
		never,
		transactions("-wallet-token", ports.TransactionFilter{Wallet: foremost, Token: otherToken}, firstPage),
		transactions("-agent-type", ports.TransactionFilter{Agent: "acme", Type: ports.WithdrawalTransaction}, firstPage),
		transactions("-agent-rejected", ports.TransactionFilter{Agent: "house", Status: "rejected"}, firstPage),
		transactions("-token-failed", ports.TransactionFilter{Token: money.SOL, Status: "failed"}, firstPage),
		transactions("-ten-days", ports.TransactionFilter{From: newest.AddDate(0, 0, -50), To: newest.AddDate(0, 0, -40)}, firstPage),
	}
}

func reportQuestions(store *sqlstore.Store) []question {
	sums := func(name string, filter ports.FigureFilter, by ports.Grouping) question {
		return question{name: name, ask: func(ctx context.Context) (int, error) {
			found, err := store.Sums(ctx, filter, by)
			return len(found), err
		}}
	}
	month := ports.FigureFilter{From: "2026-10-01", To: "2026-10-30"}
	balances := func(name string, w wallet.Address, at time.Time) question {
		return question{name: "balances-" + name, any: true, ask: func(ctx context.Context) (int, error) {
			found, err := store.BalancesAt(ctx, w, at)
			return len(found), err
		}}
	}
	return []question{
		balances("at", somebody, newest.Add(-span/2)),
		balances("at-of-foremost", foremost, newest.Add(-span/2)),
		balances("at-long-ago-of-foremost", foremost, newest.Add(-span).Add(time.Hour)),
		balances("at-present-of-foremost", foremost, newest.Add(time.Hour)),
		sums("ggr-daily", month, ports.Grouping{Day: true}),
		sums("rtp", ports.FigureFilter{}, ports.Grouping{Game: true}),
		{name: "totals", ask: func(ctx context.Context) (int, error) {
			totals, err := store.Totals(ctx)
			return len(totals), err
		}},
		{name: "overview", ask: func(ctx context.Context) (int, error) {
			standing, err := store.Counts(ctx, "")
			if err != nil {
				return 0, err
			}
			found, err := store.Sums(ctx, ports.FigureFilter{}, ports.Grouping{})
			return len(found) + int(standing.Players), err
		}},
		{name: "players", ask: func(ctx context.Context) (int, error) {
			players, err := store.PlayerList(ctx, ports.PlayerFilter{}, firstPage)
			return len(players.Players), err
		}},
		{name: "player", ask: func(ctx context.Context) (int, error) {
			players, err := store.PlayerList(ctx, ports.PlayerFilter{Wallet: somebody}, firstPage)
			return len(players.Players), err
		}},
	}
}
