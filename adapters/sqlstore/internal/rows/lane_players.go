package rows

import (
	"github.com/uptrace/bun"
)

// lanePlayers is a row of lane_players: an agent's players, as a lane counts them.
type lanePlayers struct {
	bun.BaseModel `bun:"table:lane_players,alias:l"`
	Lane          int
	Agent         string
	Players       int64
}

var addPlayers = modelOf[lanePlayers, lanePlayers]().insert("ON CONFLICT (lane, agent) DO UPDATE SET players = lane_players.players + excluded.players")

// newcomers counts first sign-ins by agent.
type newcomers struct {
	plain
	of map[string]int64
}

func (n *newcomers) stage(_ *Batch, s *Step) {
	if p := s.Change.Player; p != nil && p.Known() && !s.Wallet.View.Player.Known() {
		put(&n.of, p.Agent, n.of[p.Agent]+1)
	}
	if r := s.Change.Rebinding; r != nil {
		put(&n.of, r.From, n.of[r.From]-1)
		put(&n.of, r.To, n.of[r.To]+1)
	}
}

func (n *newcomers) write(b *Batch) error {
	var rows [][]any
	for agent, players := range n.of {
		rows = append(rows, addPlayers.row(&lanePlayers{Lane: b.Head.Lane, Agent: agent, Players: players}))
	}
	b.WriteSorted("count players", addPlayers.query, rows)
	return nil
}
