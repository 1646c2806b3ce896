package sqlstore

import (
	"github.com/casino-service/casino/adapters/internal/wire"
	"github.com/casino-service/casino/domain/bet"
	"github.com/casino-service/casino/domain/fairness"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/seamless"
)

// roundColumns are the columns of a round and its seed pair in the order of
// scanRound, from rounds AS r and seed_pairs AS p.
const roundColumns = `r.id, r.wallet, r.agent, r.game, r.rules, r.token, r.wager, r.payout, r.multiplier_num,
	r.multiplier_den, CAST(r.config AS TEXT), CAST(r.outcome AS TEXT), r.void, r.pair_id, r.nonce, r.balance, r.at,
	p.commitment, p.client_seed, p.client_source`

// scanRound reads a round; more are the places of further columns. One without a
// seed pair is a provider's (see playedAsRounds).
func scanRound(row interface{ Scan(...any) error }, more ...any) (bet.Round, error) {
	var (
		r                       bet.Round
		num, den, at            int64
		config, outcome, source string
	)
	err := row.Scan(append([]any{&r.ID, &r.Wallet, &r.Agent, &r.GameType, &r.Rules, &r.Token, &r.Wager, &r.Payout, &num,
		&den, &config, &outcome, &r.Void, &r.PairID, &r.Nonce, &r.Balance, &at, &r.Commitment, &r.ClientSeed, &source},
		more...)...)
	if err != nil {
		return bet.Round{}, err
	}
	if r.PairID == "" {
		return seamless.Round{
			ID: r.ID, Wallet: r.Wallet, Agent: r.Agent, Ref: seamless.Ref{Provider: r.Rules, Game: r.GameType},
			Token: r.Token, Wager: r.Wager, Payout: r.Payout, Balance: r.Balance, At: moment(at),
		}.Bet(), nil
	}
	r.Multiplier.Num, r.Multiplier.Den, r.At = uint64(num), uint64(den), moment(at)
	if r.Config, err = wire.DecodeValue([]byte(config)); err != nil {
		return bet.Round{}, wrap("config of round "+r.ID, err)
	}
	if r.Outcome, err = wire.DecodeValue([]byte(outcome)); err != nil {
		return bet.Round{}, wrap("outcome of round "+r.ID, err)
	}
	var ok bool
	if r.ClientSource, ok = fairness.ParseClientSource(source); !ok {
		return bet.Round{}, defect("round %s has the client source %q", r.ID, source)
	}
	return r, nil
}

var (
	// n is the pair that follows the round's, m the one after that.
	readRoundAnswers = newQuery(`SELECT `+roundColumns+`, coalesce(p.revealed, ''), p.next_id, coalesce(n.commitment, ''),
			coalesce(n.client_seed, ''), coalesce(n.client_source, ''), coalesce(n.next_id, ''), coalesce(m.commitment, '')
		FROM {sent} AS s CROSS JOIN {rounds} AS r CROSS JOIN seed_pairs AS p
		LEFT JOIN seed_pairs AS n ON n.id = p.next_id LEFT JOIN seed_pairs AS m ON m.id = n.next_id
		WHERE r.id = s.id AND p.id = r.pair_id`, "id")
	insertRounds = insert("rounds", "",
		"id", "wallet", "agent", "game", "rules", "token", "wager:int", "payout:int", "multiplier_num:int",
		"multiplier_den:int", "config:json", "outcome:json", "void:bool", "pair_id", "nonce:int", "balance:int", "at:int",
		"lane:int", "seq:int", "position:int")
)

// askRounds reads rounds as the answers that they were: with the balance after
// them and the pair as it stood, which follow from rows that no longer change.
func (r *run) askRounds(ids [][]any, found func(player.Change)) {
	r.ask("read rounds", readRoundAnswers, ids, func(row Row) error {
		var revealed, source, afterNext, afterNextCommitment string
		var next fairness.Pair
		round, err := scanRound(row, &revealed, &next.ID, &next.Commitment, &next.ClientSeed, &source,
			&afterNext, &afterNextCommitment)
		if err != nil {
			return err
		}
		answer := player.Change{Round: &round, Balance: round.Balance, Pair: &fairness.Pair{
			ID: round.PairID, Commitment: round.Commitment, ClientSeed: round.ClientSeed,
			ClientSource: round.ClientSource, Nonce: round.Nonce + 1,
		}}
		if round.Void {
			answer.Retired = &fairness.Revealed{
				ID: round.PairID, ServerSeed: revealed, Commitment: round.Commitment, ClientSeed: round.ClientSeed,
				ClientSource: round.ClientSource, Rounds: round.Nonce + 1,
			}
			next.ClientSource, _ = fairness.ParseClientSource(source)
			next.Next = fairness.NextSeed{ID: afterNext, Commitment: afterNextCommitment}
			answer.Pair = &next
		}
		found(answer)
		return nil
	})
}

func (r *run) writeRounds() {
	rows := make([][]any, len(r.out.content.Rounds))
	for i, round := range r.out.content.Rounds {
		rows[i] = []any{round.ID, string(round.Wallet), round.Agent, round.GameType, round.Rules, string(round.Token),
			int64(round.Wager), int64(round.Payout), int64(round.Multiplier.Num), int64(round.Multiplier.Den),
			string(wire.EncodeValue(round.Config)), string(wire.EncodeValue(round.Outcome)), round.Void,
			round.PairID, round.Nonce, int64(round.Balance), micros(round.At), r.head.Lane, r.head.Seq, i}
	}
	r.write("write rounds", insertRounds, rows)
}
