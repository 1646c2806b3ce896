// What a revealed seed decides: the outcomes of a pair's rounds, and what declined bets would have paid.
import { leaveAlone } from "./absent.js";
import { playedConfig, rulesOf } from "./bets.js";
import { Draws } from "./draws.js";
import { Unverifiable } from "./errors.js";
import { games } from "./games/index.js";
import { shownFault } from "./shown.js";
import { integerOf } from "./signatures.js";
import { verify } from "./verify.js";
const OUTCOME = ["outcome", "multiplier", "wager", "payout"];
/** Judges the rounds and the declined bets of a pair by its seed. */
export function judgePair(pair, serverSeed, shared) {
    for (const played of pair.rounds)
        judgeRound(played, pair, serverSeed, shared);
    for (const { line, nonce, bets } of pair.declined) {
        const declined = bets.flatMap((bet) => recompute(bet, pair, serverSeed, nonce, shared));
        shared.selection.add({ line, firstDraw: Number(new Draws(serverSeed, pair.clientSeed, nonce).next()), bets: declined });
    }
}
function judgeRound({ line, bet, round, open }, pair, serverSeed, { findings, published }) {
    if (round["outcome"] === null || round["rules"] !== published.get(bet.game)?.rules)
        return; // findings of their own
    const id = String(round["id"]);
    const nonce = integerOf(round["nonce"]);
    try {
        for (const { name, said, is } of verify({ ...round, serverSeed, clientSeed: pair.clientSeed }).differences) {
            if (OUTCOME.includes(name))
                findings.add("outcome", line, `the round ${id} has the ${name} ${said}, its seeds decide ${is}`);
        }
        const rules = games.get(String(round["rules"]));
        if (bet.route === "/rounds") {
            const staked = bet.wager * (leaveAlone(rules, round["config"], new Draws(serverSeed, pair.clientSeed, nonce), round["actions"]).result.staked ?? 1n);
            if (integerOf(round["wager"]) !== staked)
                findings.add("outcome", line, `the round ${id} has the wager ${String(round["wager"])}, its actions stake ${staked}`);
        }
        for (const { line: shownAt, round: shown } of open) {
            const fault = shownFault(rules, shown, serverSeed, pair.clientSeed, nonce, bet.wager, integerOf(shown["maxPayout"]));
            if (fault !== null)
                findings.add("outcome", shownAt, `the round ${id}: ${fault}`);
        }
    }
    catch (error) {
        if (!(error instanceof Unverifiable))
            throw error;
        findings.add("outcome", line, `the round ${id} can't be recomputed: ${error.message}`);
    }
}
/** What a declined bet would have paid, a list of one; of none if it can't be played. */
function recompute(bet, pair, serverSeed, nonce, { published, variances, token }) {
    const game = published.get(bet.game);
    if (game === undefined)
        return [];
    try {
        const rules = rulesOf(game);
        const config = playedConfig(bet, game, maxPayoutOf(game.members, token));
        const draws = new Draws(serverSeed, pair.clientSeed, nonce);
        if (bet.route === "/play" && rules.play === undefined)
            return [];
        const result = bet.route === "/play" ? rules.play(config, draws) : leaveAlone(rules, config, draws, []).result;
        return [{ game: bet.game, multiplier: Number(result.multiplier.text), variance: (bet.config !== null && variances.get(bet.config)) || 1 }];
    }
    catch (error) {
        if (!(error instanceof Unverifiable))
            throw error;
        return [];
    }
}
/** The published maxPayout of a game in a token. */
function maxPayoutOf(game, token) {
    const limits = Array.isArray(game["limits"]) ? game["limits"] : [];
    const own = limits.find((limit) => limit["token"] === token);
    return integerOf(own?.["maxPayout"]) ?? 0n;
}
