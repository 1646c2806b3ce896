package sqlstore

import (
	"github.com/casino-service/casino/adapters/sqlstore/internal/accounts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/approvals"
	"github.com/casino-service/casino/adapters/sqlstore/internal/archive"
	"github.com/casino-service/casino/adapters/sqlstore/internal/batch"
	"github.com/casino-service/casino/adapters/sqlstore/internal/control"
	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/adapters/sqlstore/internal/figures"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payments"
	"github.com/casino-service/casino/adapters/sqlstore/internal/payouts"
	"github.com/casino-service/casino/adapters/sqlstore/internal/play"
	"github.com/casino-service/casino/adapters/sqlstore/internal/provider"
	"github.com/casino-service/casino/adapters/sqlstore/internal/roles"
	"github.com/casino-service/casino/adapters/sqlstore/internal/steps"
)

// parts returns a function that makes the parts of a batch, in the order in which they read and
// write.
//
// Items lock wallets, agents' accounts, providers' hours and claims first, and then everything
// else in this order. Pairs come before rounds, because a round is only taken when its pair
// counts it. Rows that all writers update come last, so that no writer waits for a wallet while
// it holds a lane.
func parts(d db.Dialect, seeds *play.Seeds) func() []batch.Part {
	state, players, pairs, openRounds := control.NewPart(d), accounts.NewPlayerPart(d), play.NewPairPart(d, seeds), steps.NewRoundPart(d)
	providerRounds, exposures := provider.NewRoundPart(d), steps.NewExposurePart(d)
	return func() []batch.Part {
		hours := &provider.HourPart{}
		return []batch.Part{
			state(),
			players(), &accounts.SessionPart{}, pairs(), openRounds(), play.RoundPart{}, steps.EndedRoundPart{}, &accounts.BalancePart{},
			&payments.TransactionPart{}, &payouts.AttemptPart{},
			roles.Part{}, &approvals.RequestPart{}, &approvals.VotePart{},
			&provider.LaunchPart{}, providerRounds(), provider.TransactionPart{}, &provider.DeliveryPart{}, &provider.FundsPart{}, hours,
			&archive.TransferPart{}, batch.AuditPart{}, batch.EventPart{},
			// Rows of the lane.
			&figures.TotalPart{}, exposures(), &figures.FigurePart{}, &figures.NewcomerPart{}, provider.LaneBetPart{Of: hours},
		}
	}
}
