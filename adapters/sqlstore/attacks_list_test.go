package sqlstore_test

import (
	"slices"
	"strings"

	"github.com/casino-service/casino/domain/wallet"
)

// Withdrawals by status, for statements.
const (
	pendingWithdrawal   = "(SELECT id FROM transactions WHERE type = 'withdrawal' AND status = 'pending')"
	approvedWithdrawal  = "(SELECT id FROM transactions WHERE type = 'withdrawal' AND status = 'approved')"
	completedWithdrawal = "(SELECT id FROM transactions WHERE type = 'withdrawal' AND status = 'completed')"
)

// ofTransactions are the columns of a transaction besides its id.
const ofTransactions = "type, wallet, agent, credit, status, token, amount, destination, signature, reason, note, attempts, actor, balance, created_at, updated_at, seal, reference"

// ofRounds are the columns of a round.
const ofRounds = "(id, wallet, agent, game, rules, token, wager, payout, multiplier_num, multiplier_den, config, outcome, void, pair_id, nonce, balance, at, lane, seq, position)"

// keyOf returns the key of a wallet in statements.
func keyOf(w wallet.Address) string {
	return "(SELECT w.key FROM players AS w WHERE w.wallet = '" + string(w) + "')"
}

func attacks() []attack {
	return slices.Concat(ofPlayers(), ofSeeds(), ofPlay(), ofOpenRounds(), ofWithdrawals(), ofDeposits(), ofDecisions(), ofAlarms(), ofCrash(), ofKeys(), ofBlocks(), ofProviders(), ofSums())
}

func ofPlayers() []attack {
	a, b := keyOf(alice), keyOf(bob)
	return []attack{
		{what: "a player bound to another agent", tables: "players", sql: "UPDATE players SET agent = 'acme' WHERE key = " + a, named: "its row was changed: agent"},
		{what: "ended sessions revived", tables: "players", sql: "UPDATE players SET sessions_from = NULL WHERE key = " + b, named: "its row was changed: sessionsFrom"},
		{what: "the moment of a first sign-in", tables: "players", sql: "UPDATE players SET created_at = created_at - 1 WHERE key = " + a, named: "its row was changed: createdAt"},
		{what: "a player out of nothing", tables: "players", sql: "INSERT INTO players (wallet, key, agent, created_at) VALUES ('nobody', {nobody}, 'house', 1)", named: "player nobody: there is a row that no block covers"},
		{what: "an exclusion and a freeze lifted", tables: "player_protection", sql: "UPDATE player_protection SET state = '' WHERE wallet = " + b, named: "its row was changed: excludedUntil, frozen"},
		{what: "an old row put back: before the freeze", tables: "player_protection", sql: "UPDATE player_protection SET state = (SELECT state FROM old_player_protection WHERE wallet = " + b + ") WHERE wallet = " + b, named: "its row was changed: frozen"},
		{what: "a freeze copied to another player", tables: "player_protection", sql: "INSERT INTO player_protection SELECT " + a + ", state FROM player_protection WHERE wallet = " + b, named: "its row was changed: "},
		{what: "the whole list of roles put back, with its seal and version", tables: "roles role_list", sql: "DELETE FROM roles; INSERT INTO roles SELECT * FROM old_roles; UPDATE role_list SET version = version - 1", named: "its row was changed: ", why: "the version that is kept with the heads refuses it, after a restart too"},
		{what: "a balance raised", tables: "balances", sql: "UPDATE balances SET amount = amount + 1000 WHERE kind = 'player' AND wallet = " + a, named: "its transfers add up to"},
		{what: "an old row put back: a balance before a bet was lost", tables: "balances", sql: "UPDATE balances SET amount = (SELECT amount FROM old_balances AS o WHERE o.wallet = balances.wallet AND o.kind = 'player') WHERE kind = 'player' AND wallet = " + a, named: "its transfers add up to"},
		{what: "a balance copied to another player", tables: "balances", sql: "INSERT INTO balances (wallet, kind, hold, token, amount) SELECT " + keyOf(carol) + ", kind, hold, token, amount FROM balances WHERE kind = 'player' AND wallet = " + a, named: "its transfers add up to"},
		{what: "a balance taken away", tables: "balances", sql: "DELETE FROM balances WHERE kind = 'player' AND wallet = " + b, named: "has no balance of"},
		{what: "a hold given to the player", tables: "balances", sql: "UPDATE balances SET amount = 0 WHERE hold = " + pendingWithdrawal + "; UPDATE balances SET amount = amount + 900 WHERE kind = 'player' AND wallet = " + a, named: "holds 0 of"},
	}
}

func ofSeeds() []attack {
	const active = "state = 'active' AND nonce > 0"
	return []attack{
		{what: "a pair's nonce set back", tables: "seed_pairs", sql: "UPDATE seed_pairs SET nonce = nonce - 1, was = 0 WHERE " + active, named: "goes on with nonce 3, its rounds took 4"},
		{what: "a pair's nonce set forward", tables: "seed_pairs", sql: "UPDATE seed_pairs SET was = nonce, nonce = nonce + 1 WHERE " + active, named: "goes on with nonce 5, its rounds took 4"},
		{what: "a commitment", tables: "seed_pairs", sql: "UPDATE seed_pairs SET was = nonce, commitment = 'another' WHERE " + active, named: "its row was changed: commitment"},
		{what: "a client seed", tables: "seed_pairs", sql: "UPDATE seed_pairs SET was = nonce, client_seed = 'another' WHERE " + active, named: "its row was changed: clientSeed"},
		{what: "a sealed seed copied from another pair", tables: "seed_pairs", sql: "UPDATE seed_pairs SET was = nonce, sealed = (SELECT n.sealed FROM seed_pairs AS n WHERE n.wallet = seed_pairs.wallet AND n.state = 'next') WHERE " + active, named: "open the seed of pair", why: "with the keys of seeds only (`--seed-keys`); a bet on it is refused"},
		{what: "a revealed seed", tables: "seed_pairs", sql: "UPDATE seed_pairs SET revealed = 'another' WHERE state = 'retired'", named: "its row was changed: revealed"},
		{what: "an old row put back: a retired pair active again", tables: "seed_pairs", sql: "UPDATE seed_pairs SET state = 'retired', revealed = 'x', sealed = NULL WHERE state = 'active' AND nonce > 0; UPDATE seed_pairs SET state = 'active', revealed = NULL, sealed = (SELECT o.sealed FROM old_seed_pairs AS o WHERE o.id = seed_pairs.id) WHERE id IN (SELECT o.id FROM old_seed_pairs AS o WHERE o.state = 'active' AND o.wallet = " + keyOf(alice) + ")", named: "its row was changed: state"},
		{what: "a pair taken away", tables: "seed_pairs", sql: "DELETE FROM seed_pairs WHERE state = 'next'", named: "its row is missing"},
		{what: "a pair given to another player", tables: "seed_pairs", sql: "UPDATE seed_pairs SET wallet = " + keyOf(carol) + " WHERE state = 'retired'", named: "its row was changed: wallet"},
	}
}

func ofPlay() []attack {
	return []attack{
		{what: "a round's payout", tables: "rounds", sql: "UPDATE rounds SET payout = payout + 1", named: "its content was changed"},
		{what: "a round's wager", tables: "rounds", sql: "UPDATE rounds SET wager = wager - 1", named: "its content was changed"},
		{what: "a round's pair", tables: "rounds", sql: "UPDATE rounds SET pair_id = (SELECT id FROM seed_pairs WHERE state = 'active' AND id <> rounds.pair_id ORDER BY id LIMIT 1) WHERE nonce = 2", named: "its content was changed"},
		{what: "a round's pair, a next one instead", tables: "rounds", sql: "UPDATE rounds SET pair_id = (SELECT id FROM seed_pairs WHERE state = 'next' ORDER BY id LIMIT 1) WHERE nonce = 2", named: "its content was changed"},
		{what: "a round's outcome", tables: "rounds", sql: "UPDATE rounds SET outcome = '{}'", named: "its content was changed"},
		{what: "a round taken away", tables: "rounds", sql: "DELETE FROM rounds WHERE nonce = 2", named: "its content was changed"},
		{what: "a round copied", tables: "rounds", sql: "INSERT INTO rounds " + ofRounds + " SELECT pair_id, wallet, agent, game, rules, token, wager, payout, multiplier_num, multiplier_den, config, outcome, void, pair_id, nonce + 10, balance, at, lane, seq, position + 1 FROM rounds WHERE nonce = 2", named: "its content was changed"},
		{what: "a token key's text", tables: "names", sql: "UPDATE names SET name = 'another' WHERE kind = 'token'", named: "its content was changed"},
		{what: "texts of keys, removed", tables: "names", sql: "DELETE FROM names", named: "its content was changed"},
		{what: "a player's key", tables: "players", sql: "UPDATE players SET key = (SELECT p.id FROM seed_pairs AS p WHERE p.state = 'retired') WHERE wallet = '" + string(alice) + "'", named: "its content was changed"},
		{what: "a transfer's amount", tables: "transfers", sql: "UPDATE transfers SET amount = amount + 1 WHERE kind = 'deposit'", named: "its content was changed"},
		{what: "a transfer's account", tables: "transfers", sql: "UPDATE transfers SET credit_owner = '" + string(bob) + "' WHERE kind = 'deposit'", named: "its content was changed"},
		{what: "a posting taken away", tables: "transfers", sql: "DELETE FROM transfers WHERE kind = 'adjust'", named: "its content was changed"},
		{what: "a posting put in, with its balance and totals", tables: "transfers balances lane_totals", sql: "INSERT INTO transfers SELECT kind, scope, 'x' || id, n, debit_kind, debit_owner, credit_kind, credit_owner, token, amount, wallet, lane, seq, position + 100 FROM transfers WHERE kind = 'adjust' AND amount = 50; UPDATE balances SET amount = amount + 50 WHERE kind = 'player' AND wallet = " + keyOf(bob) + "; UPDATE lane_totals SET lo = lo + 50 WHERE kind = 'player'", named: "its content was changed"},
	}
}

func ofWithdrawals() []attack {
	of := func(what, set, which, named string) attack {
		return attack{what: what, tables: "transactions", sql: "UPDATE transactions SET " + set + " WHERE id = " + which, named: named}
	}
	return []attack{
		of("a withdrawal without a vote, approved", "status = 'approved'", pendingWithdrawal, "its row was changed: status"),
		of("a withdrawal's destination", "destination = 'mine'", approvedWithdrawal, "its row was changed: destination"),
		of("a withdrawal's amount", "amount = amount + 1", approvedWithdrawal, "its row was changed: amount"),
		of("a withdrawal's token", "token = 'gold'", approvedWithdrawal, "its row was changed: token"),
		of("a withdrawal's player", "wallet = "+keyOf(bob), approvedWithdrawal, "its row was changed: wallet"),
		of("a withdrawal's count of attempts", "attempts = 0, signature = ''", completedWithdrawal, "its row was changed: attempt, signature"),
		of("why a withdrawal waits", "reason = 'frozen'", approvedWithdrawal, "its row was changed: reason"),
		of("an approver's note", "note = 'fine'", pendingWithdrawal, "its row was changed: note"),
		of("a withdrawal's moments", "updated_at = updated_at - 1", approvedWithdrawal, "its row was changed: updatedAt"),
		of("an old row put back: a paid withdrawal approved again", "status = (SELECT o.status FROM old_transactions AS o WHERE o.id = transactions.id), attempts = 0, signature = ''", completedWithdrawal, "its row was changed: status, attempt, signature"),
		{what: "a withdrawal taken away", tables: "transactions", sql: "DELETE FROM transactions WHERE id = " + pendingWithdrawal, named: "its row is missing"},
		{what: "a withdrawal out of nothing, copied from another", tables: "transactions", sql: "INSERT INTO transactions (id, " + ofTransactions + ") SELECT 'copy', " + ofTransactions + " FROM transactions WHERE id = " + approvedWithdrawal, named: "withdrawal copy: there is a row that no block covers"},
		{what: "a fee put beside a withdrawal", tables: "withdrawal_fees", sql: "INSERT INTO withdrawal_fees SELECT wallet, id, 5 FROM transactions WHERE id = " + approvedWithdrawal, named: "its row was changed: fee"},
		{what: "an approval put in", tables: "approvals", sql: "INSERT INTO approvals (withdrawal_id, n, wallet, approver, at, note, attempt, needed, signature, signed_at, treasury, seal) VALUES (" + pendingWithdrawal + ", 0, " + keyOf(alice) + ", '" + string(other) + "', 5, '', 0, 1, '', 0, '', '')", named: "its row was changed: approval1"},
		{what: "an approver's name", tables: "approvals", sql: "UPDATE approvals SET approver = '" + string(carol) + "'", named: "its row was changed: approval1"},
		{what: "an approver's signature", tables: "approvals", sql: "UPDATE approvals SET signature = 'x', signed_at = 5, treasury = 'mine'", named: "its row was changed: signature1"},
		{what: "an approval taken away", tables: "approvals", sql: "DELETE FROM approvals", named: "its row was changed: approval1"},
		{what: "an attempt called dead", tables: "payout_attempts", sql: "UPDATE payout_attempts SET dead = TRUE WHERE number = 2", named: "/2: there is a row that no block covers"},
		{what: "an old row put back: a dead attempt alive", tables: "payout_attempts", sql: "UPDATE payout_attempts SET dead = FALSE WHERE number = 1", named: "attempt.dead "},
		{what: "an attempt's bytes", tables: "payout_attempts", sql: "UPDATE payout_attempts SET bytes = (SELECT p.sealed FROM seed_pairs AS p WHERE p.state = 'active' AND p.nonce > 0) WHERE number = 2", named: "its row was changed: transaction"},
		{what: "an attempt's signature and last height", tables: "payout_attempts", sql: "UPDATE payout_attempts SET signature = 'x', last_valid_height = 1 WHERE number = 2", named: "its row was changed: signature, lastValidHeight"},
		{what: "an attempt taken away", tables: "payout_attempts", sql: "DELETE FROM payout_attempts WHERE number = 2", named: "/2: its row is missing"},
		{what: "the agent that a transaction is listed under", tables: "transactions", sql: "UPDATE transactions SET agent = 'acme' WHERE id = " + pendingWithdrawal, why: "only lists use it; admins' scope follows the player's own row"},
	}
}

func ofDeposits() []attack {
	return []attack{
		{what: "a credited deposit set back to be credited again", tables: "transactions", sql: "UPDATE transactions SET status = 'pending', amount = 0 WHERE type = 'deposit' AND status = 'credited'", named: "its row was changed: status, amount", why: "its posting can't be booked twice"},
		{what: "a deposit in review credited", tables: "transactions", sql: "UPDATE transactions SET status = 'credited', amount = 7 WHERE type = 'deposit' AND status = 'review'", named: "its row was changed: status"},
		{what: "a deposit's signature", tables: "transactions", sql: "UPDATE transactions SET signature = 'x' WHERE type = 'deposit' AND status = 'review'", named: "its row was changed: signature"},
		{what: "a deposit put in", tables: "transactions", sql: "INSERT INTO transactions (id, " + ofTransactions + ") SELECT 'copy', " + strings.Replace(ofTransactions, "signature", "'x'", 1) + " FROM transactions WHERE type = 'deposit' AND status = 'review'", named: "deposit copy: there is a row that no block covers"},
		{what: "the admin of an adjustment", tables: "transactions", sql: "UPDATE transactions SET actor = '" + string(bob) + "' WHERE type = 'adjustment' AND amount = 50", named: "its row was changed: by"},
		{what: "an adjustment's sign", tables: "transactions", sql: "UPDATE transactions SET credit = FALSE WHERE type = 'adjustment' AND amount = 50", named: "its row was changed: amount"},
		{what: "the entry that a correction names", tables: "transactions", sql: "UPDATE transactions SET reference = 'another' WHERE type = 'adjustment_correction'", named: "its row was changed: reference"},
		{what: "a correction put in", tables: "transactions", sql: "INSERT INTO transactions (id, " + ofTransactions + ") SELECT 'copy', " + strings.Replace(ofTransactions, "reference", "'another'", 1) + " FROM transactions WHERE type = 'adjustment_correction'", named: "adjustment copy: there is a row that no block covers"},
		{what: "a correction taken away", tables: "transactions", sql: "DELETE FROM transactions WHERE type = 'adjustment_correction'", named: "its row is missing"},
		{what: "the posting that a correction reverses", tables: "transfers", sql: "UPDATE transfers SET scope = scope || 'x' WHERE kind = 'correct'", named: "its content was changed"},
		{what: "the only key of a correction taken away", tables: "unique_keys", sql: "DELETE FROM unique_keys WHERE kind = 'correction'", why: "an original is corrected once by a key that no row can be without, and the audit finds a second one"},
		{what: "the cursor of the deposit watcher", tables: "watch_cursors", sql: "INSERT INTO watch_cursors VALUES ('sol', 'x', 5)", why: "deposits stay on chain, and no posting is booked twice"},
		{what: "a parked transaction put in", tables: "parked_deposits", sql: "INSERT INTO parked_deposits VALUES ('sol', 'x', 'review', 'late', 5, 0, 5, NULL)", why: "the admin sees the chain, which is asked again; `audit --chain` counts it"},
	}
}

func ofDecisions() []attack {
	return []attack{
		{what: "a vote put in", tables: "votes", sql: "INSERT INTO votes SELECT 'x', by_wallet, at, credit, wallet, destination, token, amount, granted_by, granted_at, after, after_own, passes FROM votes WHERE NOT credit", named: "there is a row that no block covers"},
		{what: "a vote's amount", tables: "votes", sql: "UPDATE votes SET amount = 1 WHERE NOT credit", named: "its row was changed: amount"},
		{what: "a vote taken away", tables: "votes", sql: "DELETE FROM votes WHERE NOT credit", named: "its row is missing"},
		{what: "when a vote's withdrawal was voted for before", tables: "votes", sql: "UPDATE votes SET after = at - 1 WHERE NOT credit", named: "its row was changed: after"},
		{what: "a sum of votes", tables: "vote_sums", sql: "UPDATE vote_sums SET lo = lo - 1 WHERE sort = 'admin'", named: "votes add up to"},
		{what: "a sum of votes, moved to another step of time", tables: "vote_sums", sql: "UPDATE vote_sums SET slot = slot - 200 WHERE sort = 'player'", named: "is missing"},
		{what: "a sum of votes, removed", tables: "vote_sums", sql: "DELETE FROM vote_sums WHERE sort = 'all'", named: "is missing"},
		{what: "the sum over all admins", tables: "vote_sums", sql: "UPDATE vote_sums SET lo = lo - 1 WHERE sort = 'all'", named: "votes add up to"},
		{what: "a sum without votes", tables: "vote_sums", sql: "INSERT INTO vote_sums SELECT sort, name || 'x', token, credit, slot, hi, lo FROM vote_sums WHERE sort = 'player'", named: "that no vote made"},
		{what: "the creditor of a player, removed", tables: "creditors", sql: "DELETE FROM creditors", named: "is missing"},
		{what: "the creditor of a player", tables: "creditors", sql: "UPDATE creditors SET by_wallet = by_wallet || 'x'", named: "that no vote made"},
		{what: "when a player was credited", tables: "creditors", sql: "UPDATE creditors SET at = at - 1", named: "has the newest vote at"},
		{what: "a request without a vote, approved", tables: "approval_requests", sql: "UPDATE approval_requests SET status = 'approved', decided_by = '" + string(other) + "', decided_at = 5 WHERE status = 'open'", named: "its row was changed: status, decidedBy, decidedAt"},
		{what: "a request's amount", tables: "approval_requests", sql: "UPDATE approval_requests SET amount = amount + 1 WHERE status = 'open'", named: "its row was changed: amount"},
		{what: "an old row put back: a decided request open again", tables: "approval_requests", sql: "UPDATE approval_requests SET status = 'open', decided_by = '', decided_at = NULL WHERE status = 'approved'", named: "its row was changed: status, decidedBy, decidedAt"},
		{what: "a request taken away", tables: "approval_requests", sql: "DELETE FROM approval_requests WHERE status = 'open'", named: "its row is missing"},
		{what: "a superadmin out of nothing", tables: "roles", sql: "INSERT INTO roles (wallet, role, agent, granted_by, granted_at, founding) VALUES ('" + string(carol) + "', 'superadmin', '', '', 5, FALSE)", named: "there is a row that no block covers", why: "the list of roles that is kept with the heads refuses it"},
		{what: "a role", tables: "roles", sql: "UPDATE roles SET role = 'superadmin' WHERE role = 'finance'", named: "its row was changed: role"},
		{what: "the age of a role", tables: "roles", sql: "UPDATE roles SET granted_at = 5 WHERE role = 'finance'", named: "its row was changed: grantedAt"},
		{what: "a role called founding", tables: "roles", sql: "UPDATE roles SET founding = NOT founding WHERE role = 'finance'", named: "its row was changed: founding"},
		{what: "a role taken away", tables: "roles", sql: "DELETE FROM roles WHERE role = 'finance'", named: "its row is missing"},
		{what: "an old row put back: a revoked role", tables: "roles", sql: "DELETE FROM roles WHERE wallet = '" + string(bob) + "'; INSERT INTO roles SELECT * FROM old_roles WHERE wallet = '" + string(bob) + "'", named: "its row was changed: "},
		{what: "a token's limits", tables: "tokens", sql: "UPDATE tokens SET two_person_above = 9000000000, payout_cap = 9000000000", why: "every start writes them from the settings; for a removed token their seal is checked before a payout is signed"},
		{what: "a token's fee for a new account", tables: "token_fees", sql: "INSERT INTO token_fees VALUES ('gold', 5)", why: "every start writes it from the settings; a withdrawal's hold is in its event"},
		{what: "an agent's share and site", tables: "agents", sql: "UPDATE agents SET share = 0, site_endpoint = 'https://mine.example' WHERE code = 'acme'", why: "audit records show each change; bookings with a site are covered"},
		{what: "the switch of payouts", tables: "payout_pause", sql: "INSERT INTO payout_pause VALUES (1, FALSE, 'x', '', 5)", why: "audit records show each change; no payout rests on it alone"},
	}
}

func ofKeys() []attack {
	return []attack{
		{what: "a used login message made new", tables: "unique_keys", sql: "DELETE FROM unique_keys WHERE kind = 'login' AND scope = '" + string(carol) + "'", named: "login " + string(carol) + "/", why: "used again it has two events"},
		{what: "how long a login message is kept", tables: "unique_keys", sql: "UPDATE unique_keys SET keep_until = 5 WHERE kind = 'login' AND scope = '" + string(carol) + "'", named: "its row was changed: keepUntil"},
		{what: "an unused login message", tables: "unique_keys", sql: "INSERT INTO unique_keys SELECT kind, scope, '5', place, holder, fingerprint, taken_by, answer, at, keep_until FROM unique_keys WHERE kind = 'login' AND scope = '" + string(carol) + "'", named: "/5: there is a row that no block covers"},
		{what: "a deposit's unique key", tables: "unique_keys", sql: "DELETE FROM unique_keys WHERE kind = 'deposit'", why: "the posting has its own covered key: the player can't be credited twice, and no other player sent the transaction"},
		{what: "a globally unique key, removed", tables: "once", sql: "DELETE FROM once", why: "covered rows are checked too, and find the duplicate"},
		{what: "a kept answer", tables: "unique_keys", sql: "UPDATE unique_keys SET answer = '{}' WHERE kind = 'operation'", why: "only a repeated request gets it; it moves nothing"},
	}
}

func ofBlocks() []attack {
	return []attack{
		{what: "a record of the audit log", tables: "audit", sql: "UPDATE audit SET actor = 'x' WHERE action = 'role.granted'", named: "its content was changed"},
		{what: "a record put into the audit log", tables: "audit", sql: "INSERT INTO audit SELECT 'copy', action, actor, target, was, became, at, request_id, lane, seq, position + 1 FROM audit WHERE id = 'the last grant'", named: "its content was changed"},
		{what: "a record taken out of the audit log", tables: "audit", sql: "DELETE FROM audit WHERE id = 'the last grant'", named: "its content was changed"},
		{what: "an event", tables: "ledger_events", sql: "UPDATE ledger_events SET fields = '{\"status\":\"approved\"}' WHERE kind = 'withdrawal'", named: "its content was changed"},
		{what: "an event with its row", tables: "ledger_events transactions", sql: "UPDATE ledger_events SET fields = replace(fields, '\"status\":\"pending\"', '\"status\":\"approved\"') WHERE kind = 'withdrawal'; UPDATE transactions SET status = 'approved' WHERE id = " + pendingWithdrawal, named: "its content was changed"},
		{what: "an event taken away with its row", tables: "ledger_events roles", sql: "DELETE FROM ledger_events WHERE kind = 'role' AND id = '" + string(other) + "'; DELETE FROM roles WHERE wallet = '" + string(other) + "'", named: "its content was changed"},
		{what: "the place of an event among the other rows of its block", tables: "ledger_events", sql: "UPDATE ledger_events SET position = position + 1000", why: "only the order of a commit's events for listeners"},
		{what: "the root of a block's tree", tables: "blocks", sql: "UPDATE blocks SET root = previous WHERE seq = 2", named: "its tree is not that of its content"},
		{what: "the size of a block's tree", tables: "blocks", sql: "UPDATE blocks SET size = size + 1 WHERE seq = 2", named: "its tree is not that of its content"},
		{what: "a block's hash", tables: "blocks", sql: "UPDATE blocks SET hash = previous WHERE seq = 2", named: "its content was changed"},
		{what: "a block taken away", tables: "blocks", sql: "DELETE FROM blocks WHERE seq = 2", named: "which is missing"},
		{what: "the newest block cut off with all that it made", tables: "blocks audit ledger_events roles", sql: "DELETE FROM audit WHERE id = 'the last grant'; DELETE FROM ledger_events WHERE lane = 0 AND seq = (SELECT max(seq) FROM blocks WHERE lane = 0); DELETE FROM blocks WHERE lane = 0 AND seq = (SELECT max(seq) FROM blocks WHERE lane = 0); DELETE FROM roles WHERE wallet = '" + string(bob) + "'", named: "was kept and is not there any more", heads: true, why: "the rest is an older ledger that holds"},
		{what: "a record of the audit log, and every block made anew", tables: "blocks audit", sql: "UPDATE audit SET actor = 'x' WHERE action = 'role.granted'", named: "is not the one that was kept", heads: true, resealed: true},
		{what: "an approval with its event, and every block made anew", tables: "blocks ledger_events transactions", sql: "UPDATE ledger_events SET fields = replace(fields, '\"status\":\"pending\"', '\"status\":\"approved\"') WHERE kind = 'withdrawal' AND id = " + pendingWithdrawal + "; UPDATE transactions SET status = 'approved' WHERE id = " + pendingWithdrawal, named: "is not the one that was kept", heads: true, resealed: true},
	}
}

func ofProviders() []attack {
	return []attack{
		{what: "a provider's transaction", tables: "provider_transactions", sql: "UPDATE provider_transactions SET win = win + 1 WHERE txn_id = 't1' AND kind = 'credit'", named: "its content was changed"},
		{what: "a provider's transaction taken away", tables: "provider_transactions", sql: "DELETE FROM provider_transactions WHERE txn_id = 't2'", named: "its content was changed"},
		{what: "a provider's round", tables: "provider_rounds", sql: "UPDATE provider_rounds SET payout = payout + 1 WHERE txn_id = 't1'", named: "differs from its transactions"},
		{what: "a provider's round, as if it had been rolled back", tables: "provider_rounds", sql: "UPDATE provider_rounds SET rolled_back = NOT rolled_back WHERE txn_id = 't1'", named: "differs from its transactions"},
		{what: "what a provider's transaction refers to", tables: "provider_transactions", sql: "UPDATE provider_transactions SET reference = 't9' WHERE txn_id = 't1'", named: "its content was changed"},
		{what: "a provider's round taken away", tables: "provider_rounds", sql: "DELETE FROM provider_rounds WHERE txn_id = 't1'", named: "of a provider is missing"},
		{what: "an agent's prepaid account", tables: "agent_funds", sql: "UPDATE agent_funds SET balance = balance + 1", named: "agent:acme holds"},
		{what: "the reserve of an agent's account", tables: "agent_funds", sql: "UPDATE agent_funds SET reserved = 0", named: "agent:acme reserves 0"},
		{what: "an agent's credit limit", tables: "agent_funds", sql: "UPDATE agent_funds SET credit_limit = 1000000", why: "audit records show each change"},
		{what: "an open bet at a site, closed", tables: "provider_deliveries", sql: "UPDATE provider_deliveries SET status = 'declined' WHERE status = 'asking'", named: "its open bets add up to 0"},
		{what: "a player's wins at a provider within the hour", tables: "provider_launches", sql: "UPDATE provider_launches SET net = 0", why: "the provider's own log is compared every hour"},
	}
}

func ofSums() []attack {
	return []attack{
		{what: "a daily figure", tables: "daily_figures", sql: "UPDATE daily_figures SET paid_lo = paid_lo + 1", named: "kept figures of"},
		{what: "a daily figure taken away", tables: "daily_figures", sql: "DELETE FROM daily_figures WHERE source = 'casino'", named: "are missing"},
		{what: "a player's day", tables: "player_days", sql: "UPDATE player_days SET paid_lo = paid_lo + 1", named: "kept figures of"},
		{what: "a player's day taken away", tables: "player_days", sql: "DELETE FROM player_days", named: "are missing"},
		{what: "up to which block players' days are counted", tables: "counted_blocks", sql: "UPDATE counted_blocks SET seq = 1", named: "kept figures of"},
		{what: "a kept total", tables: "lane_totals", sql: "UPDATE lane_totals SET lo = lo + 1 WHERE kind = 'house'", named: "kept total of house"},
		{what: "the tally of a player's balance", tables: "balances", sql: "UPDATE balances SET wagered_lo = wagered_lo + 1 WHERE kind = 'player'", named: "tally of"},
		{what: "a session's opening figures", tables: "sessions", sql: "UPDATE sessions SET counted = ''", why: "only the player sees these numbers; they expire with the session"},
		{what: "an agent's number of players", tables: "lane_players", sql: "UPDATE lane_players SET players = players + 1", why: "a displayed number, recounted from the players"},
		{what: "the cells of lists", tables: "list_cells", sql: "INSERT INTO list_cells VALUES ('rounds', 'x', 'x', 'x')", why: "an index of lists; a missing cell hides rows from lists, not from the audit"},
	}
}

// ofCrash returns the attacks on the shared crash, with one settled and one flying round.
func ofCrash() []attack {
	of := func(what, set, named string) attack {
		return attack{what: what, tables: "crash_rounds", sql: "UPDATE crash_rounds SET " + set, named: "its row was changed: " + named}
	}
	const settled, flying = " WHERE number = 1", " WHERE number = 2"
	return []attack{
		of("a crash round's point", "point = point + 100"+settled, "point"),
		of("a crash round's hash", "hash = 'another'"+settled, "hash"),
		of("a crash round's salt", "salt = 'another'"+flying, "salt"),
		of("a crash round's closing commit", "closing = 'another'"+flying, "closing"),
		of("a crash round's beacon", "height = height + 1"+flying, "height"),
		of("a crash round's start", "started_at = started_at + 1000"+flying, "startedAt"),
		of("when a crash round was opened", "opened_at = opened_at - 1000"+flying, "openedAt"),
		of("a crash round's stop taken back", "status = 'betting', stopped = FALSE, closing = '', height = 0, salt = '', beacon_height = 0, started_at = NULL"+flying,
			"status, stopped, closing, height, salt, beaconHeight, startedAt"),
		of("a crash round's cap", "cap = cap + 1"+flying, "cap"),
		of("a flying crash round closed again", "status = 'closed', started_at = NULL"+flying, "status, startedAt"),
		of("a settled crash round that takes cash-outs again", "status = 'crashed', paying = FALSE"+settled, "status, paying"),
		of("a crash round called recovered", "recovered = TRUE"+flying, "recovered"),
		{what: "a crash round's fence", tables: "crash_rounds", sql: "UPDATE crash_rounds SET fence = fence + 1" + flying, why: "the worker's next change is refused until it has a lease of a greater fence"},
		{what: "a crash round put in", tables: "crash_rounds", sql: `INSERT INTO crash_rounds (chain, number, status, cap, previous, above, opened_at, stopped, closing, height, salt, beacon_height, started_at, hash, point, paying, recovered, fence)
			SELECT chain, 9, 'betting', cap, 'another', above, opened_at, FALSE, '', 0, '', 0, NULL, '', 0, FALSE, FALSE, fence FROM crash_rounds` + settled, named: "there is a row that no block covers"},
		{what: "a crash round taken away", tables: "crash_rounds", sql: "DELETE FROM crash_rounds" + flying, named: "its row is missing"},
		{what: "a crash chain's commitment", tables: "crash_chains", sql: "UPDATE crash_chains SET commitment = 'another'", named: "its row was changed: commitment"},
		{
			what: "a crash chain's terminal hash beside its commitment", tables: "crash_chains", sql: "UPDATE crash_chains SET terminal = 'another'",
			why: "it only keeps a first round from beginning: the commitment's text counts",
		},
		{what: "a crash chain taken away", tables: "crash_chains", sql: "DELETE FROM crash_chains", named: "its row is missing"},
		{
			what: "a way point copied to another round", tables: "crash_way_points", sql: "UPDATE crash_way_points SET sealed = (SELECT w.sealed FROM crash_way_points AS w WHERE w.number = 20) WHERE number = 10",
			why: "it can't be opened: it is bound to its chain and round",
		},
		{what: "a way point taken away", tables: "crash_way_points", sql: "DELETE FROM crash_way_points WHERE number = 10", why: "hashes follow from the next one"},
		{what: "the crash lease's fence set back", tables: "crash_lease", sql: "UPDATE crash_lease SET fence = 0", why: "its holder's changes are refused until it takes the lease again"},
		{what: "the crash lease ended", tables: "crash_lease", sql: "UPDATE crash_lease SET until = 0", why: "another worker takes it, with a greater fence"},
		{
			what: "an instance's report of answered cash-outs", tables: "crash_instances", sql: "UPDATE crash_instances SET drained_at = drained_at + 1000000",
			why: "cash-outs on their way may be refused; the results follow from those that were committed",
		},
	}
}

// ofAlarms returns the attacks on alarms, with one open and one cleared alarm.
func ofAlarms() []attack {
	of := func(what, set, named string) attack {
		return attack{what: what, tables: "alarms", sql: "UPDATE alarms SET " + set, named: "its row was changed: " + named}
	}
	const open, cleared = " WHERE cleared_at IS NULL", " WHERE cleared_at IS NOT NULL"
	return []attack{
		of("an alarm called cleared", "cleared_at = last_seen"+open, "clearedAt"),
		of("an alarm called acknowledged", "acknowledged_by = 'ada', acknowledged_at = 1, note = 'mine'"+open, "acknowledgedBy, acknowledgedAt, note"),
		of("a cleared alarm opened again", "cleared_at = NULL"+cleared, "clearedAt"),
		of("an alarm's subject", "about = 'other'"+open, "about"),
		of("an alarm's kind", "kind = 'clocks_apart'"+open, "kind"),
		of("an alarm's agent", "agent = 'acme'"+open, "agent"),
		of("an alarm's facts", `facts = '{"holding":"9"}'`+open, "fact.holding"),
		of("when an alarm was raised", "raised_at = raised_at - 1"+open, "raisedAt"),
		{
			what: "an alarm's last sighting and count", tables: "alarms", sql: "UPDATE alarms SET last_seen = last_seen + 1, seen = seen + 1" + open,
			why: "a condition that is over is cleared later, at the latest by a person",
		},
		{
			what: "an alarm put in", tables: "alarms", sql: `INSERT INTO alarms (id, kind, about, agent, facts, raised_at, last_seen, seen, acknowledged_by, note, cleared_by)
				SELECT 'copy', kind, 'copy', agent, facts, raised_at, last_seen, seen, acknowledged_by, note, cleared_by FROM alarms` + open,
			named: "alarm copy: there is a row that no block covers",
		},
		{what: "an alarm taken away", tables: "alarms", sql: "DELETE FROM alarms" + open, named: "its row is missing"},
	}
}

// ofOpenRounds returns the attacks on open rounds, which are played step by step, and on
// exposures.
func ofOpenRounds() []attack {
	of := func(what, set, named string) attack {
		return attack{what: what, tables: "open_rounds", sql: "UPDATE open_rounds SET " + set, named: "its row was changed: " + named}
	}
	const columns = "wallet, agent, game, rules, token, wager, stake, config, asked, max_payout, pair_id, nonce, chain, number, actions, shown, choices, multiplier_num, multiplier_den, exposure, opened_at, touched_at, seal"
	return []attack{
		of("an open round's agent", "agent = 'acme'", "agent"),
		of("an open round's game", "game = 'other'", "game"),
		of("an open round's rules", "rules = 'other/1'", "rules"),
		of("an open round's token", "token = 'gold'", "token"),
		of("an open round's wager", "wager = wager - 1", "wager"),
		of("an open round's stake", "stake = stake + 1, touched_at = touched_at + 1", "stake"),
		of("an open round's config", "config = '{}'", "config"),
		of("the config that was asked for of an open round", "asked = '{}'", "asked"),
		of("the limit that an open round's bound follows from", "max_payout = max_payout - 1", "maxPayout"),
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
		{what: "an open round given to another player", tables: "open_rounds", sql: "UPDATE open_rounds SET wallet = " + keyOf(bob), named: "its row was changed: wallet"},
		{what: "an open round taken away", tables: "open_rounds", sql: "DELETE FROM open_rounds", named: "its row is missing"},
		{what: "a round that has ended opened again", tables: "open_rounds", sql: "INSERT INTO open_rounds (id, " + columns + ") SELECT (SELECT r.id FROM rounds AS r WHERE r.actions <> ''), wallet, agent, game, rules, token, wager, stake, config, " +
			"asked, max_payout, pair_id, nonce - 1, chain, number, actions, shown, choices, multiplier_num, multiplier_den, exposure, opened_at, touched_at, seal FROM open_rounds", named: "there is a row that no block covers"},
		{what: "the exposure of open rounds, less", tables: "lane_exposures", sql: "UPDATE lane_exposures SET lo = lo - 1", named: "may pay"},
		{what: "the exposure of an open round and of all", tables: "open_rounds lane_exposures", sql: "UPDATE open_rounds SET exposure = exposure - 1; UPDATE lane_exposures SET lo = lo - 1", named: "its row was changed: exposure"},
		{what: "the exposure of open rounds, removed", tables: "lane_exposures", sql: "DELETE FROM lane_exposures", named: "may pay"},
		{what: "a player's stake, given back", tables: "balances", sql: "UPDATE balances SET amount = 0 WHERE kind = 'stake'; UPDATE balances SET amount = amount + 20000 WHERE kind = 'player' AND token = 'So11111111111111111111111111111111111111112' AND wallet = " + keyOf(alice), named: "its transfers add up to"},
	}
}
