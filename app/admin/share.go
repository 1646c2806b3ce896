package admin

import (
	"context"
	"math/big"

	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/domain/agent"
	"github.com/casino-service/casino/domain/figure"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/ports"
)

// ShareRow is an agent's share in what was played in one token on one day, UTC.
type ShareRow struct {
	Day   string
	Agent string
	Token money.Token
	figure.Cell
	// Percent is the agent's present share.
	Percent agent.Percent
	// Share is GGR × percent in base units, rounded down. It is negative where players
	// won.
	Share *big.Int
}

// RevenueShare returns the rows of the last days with play, oldest first, then by token
// and agent; of one agent, or with an empty code of all within the caller's scope.
func (c *Service) RevenueShare(ctx context.Context, caller kernel.Caller, days int, code string) ([]ShareRow, error) {
	own, err := c.core.Authorize(ctx, caller, rbac.AdminRead)
	if err != nil || !kernel.Scoped(own, &code) {
		return nil, err
	}
	from, _ := c.lastDays(days)
	sums, err := c.core.Store.Reports.Sums(ctx, ports.FigureFilter{From: from, Agent: code}, ports.Grouping{Day: true, Agent: true})
	if err != nil {
		return nil, err
	}
	percents := map[string]agent.Percent{}
	rows := make([]ShareRow, 0, len(sums))
	for _, sum := range sums {
		percent, asked := percents[sum.Agent]
		if !asked {
			if percent, err = c.percentOf(ctx, sum.Agent); err != nil {
				return nil, err
			}
			percents[sum.Agent] = percent
		}
		rows = append(rows, ShareRow{
			Day: sum.Day, Agent: sum.Agent, Token: sum.Token, Cell: sum.Cell, Percent: percent, Share: shareOf(sum.GGR(), percent),
		})
	}
	return rows, nil
}

func (c *Service) percentOf(ctx context.Context, code string) (agent.Percent, error) {
	found, err := c.core.Store.Agents.Agent(ctx, code)
	return found.Share, err
}

func shareOf(ggr money.Total, percent agent.Percent) *big.Int {
	product := new(big.Int).Mul(ggr.Big(), big.NewInt(int64(percent)))
	// Euclidean division by a positive number rounds down on both sides of zero.
	return product.Div(product, big.NewInt(int64(agent.PercentMax)))
}
