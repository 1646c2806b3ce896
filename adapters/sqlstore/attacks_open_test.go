package sqlstore_test

// ofOpenRounds are those of rounds that are played step by step and have not ended, and of
// what they may cost.
func ofOpenRounds() []attack {
	of := func(what, set, named string) attack {
		return attack{what: what, tables: "open_rounds", sql: "UPDATE open_rounds SET " + set, named: "its row was changed: " + named}
	}
	const columns = "wallet, agent, game, rules, token, wager, stake, config, pair_id, nonce, actions, shown, choices, multiplier_num, multiplier_den, exposure, opened_at, touched_at, seal"
	return []attack{
		of("an open round's agent", "agent = 'acme'", "agent"),
		of("an open round's game", "game = 'other'", "game"),
		of("an open round's rules", "rules = 'other/1'", "rules"),
		of("an open round's token", "token = 'gold'", "token"),
		of("an open round's wager", "wager = wager - 1", "wager"),
		of("an open round's stake", "stake = stake + 1, touched_at = touched_at + 1", "stake"),
		of("an open round's config", "config = '{}'", "config"),
		of("an open round's pair", "pair_id = (SELECT p.id FROM seed_pairs AS p WHERE p.wallet = open_rounds.wallet AND p.state = 'retired')", "pair"),
		of("an open round's nonce", "nonce = nonce + 1", "nonce"),
		of("an open round's actions taken back", "actions = '[]'", "actions"),
		of("an action put into an open round", "actions = '[{\"type\":\"double\"},{\"type\":\"double\"}]'", "actions"),
		of("an open round's shown state", "shown = '{}'", "shown"),
		of("an open round's choices", "choices = '[]'", "choices"),
		of("an open round's greatest multiplier", "multiplier_num = 9, multiplier_den = 2", "maxMultiplier"),
		of("an open round's exposure", "exposure = exposure + 1", "exposure"),
		of("when an open round was opened", "opened_at = opened_at - 1", "openedAt"),
		of("when an open round was touched", "touched_at = touched_at + 1", "touchedAt"),
		{what: "an open round's seal", tables: "open_rounds", sql: "UPDATE open_rounds SET seal = 'x'", why: "its next step is refused, with an alarm"},
		{what: "an open round given to another player", tables: "open_rounds", sql: "UPDATE open_rounds SET wallet = " + keyOf(bob), named: "its row is missing"},
		{what: "an open round taken away", tables: "open_rounds", sql: "DELETE FROM open_rounds", named: "its row is missing"},
		{what: "a round that has ended opened again", tables: "open_rounds", sql: "INSERT INTO open_rounds (id, " + columns + ") SELECT (SELECT r.id FROM rounds AS r WHERE r.actions <> ''), wallet, agent, game, rules, token, wager, stake, config, " +
			"pair_id, nonce - 1, actions, shown, choices, multiplier_num, multiplier_den, exposure, opened_at, touched_at, seal FROM open_rounds", named: "there is a row that no block covers"},
		{what: "the exposure of open rounds, less", tables: "lane_exposures", sql: "UPDATE lane_exposures SET lo = lo - 1", named: "may cost"},
		{what: "the exposure of an open round and of all", tables: "open_rounds lane_exposures", sql: "UPDATE open_rounds SET exposure = exposure - 1; UPDATE lane_exposures SET lo = lo - 1", named: "its row was changed: exposure"},
		{what: "the exposure of open rounds, removed", tables: "lane_exposures", sql: "DELETE FROM lane_exposures", named: "may cost"},
		{what: "a player's stake, given back", tables: "balances", sql: "UPDATE balances SET amount = 0 WHERE kind = 'stake'; UPDATE balances SET amount = amount + 20000 WHERE kind = 'player' AND token = 'So11111111111111111111111111111111111111112' AND wallet = " + keyOf(alice), named: "its transfers add up to"},
	}
}
