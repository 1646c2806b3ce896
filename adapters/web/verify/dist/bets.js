// Bets of a capture as they were sent, and what the published rules make of them.
import { Decimal } from "./decimal.js";
import { Unverifiable } from "./errors.js";
import { games } from "./games/index.js";
import { greatestAtOnce, greatestBySteps } from "./greatest.js";
import { isObject } from "./json.js";
import { integerOf, MAX } from "./signatures.js";
import { openedConfig } from "./stepped.js";
/** Reads a bet as it was sent; null if it is none. */
export function betOf(line, sent, config, bySteps) {
    if (!isObject(sent))
        return null;
    const wager = integerOf(sent["wager"]);
    const { gameType, token } = sent;
    if (typeof gameType !== "string" || typeof token !== "string" || wager === null || wager < 0n)
        return null;
    return { line, route: bySteps ? "/rounds" : "/play", asked: sent, game: gameType, token, wager, config: integerOf(config) };
}
/** The config that a bet asks for, with the published defaults. Bets that are left out stand for one of the whole wager. */
export function configOf(bet, published) {
    const sent = isObject(bet.asked["config"]) ? bet.asked["config"] : {};
    const whole = { amount: Decimal.of(bet.wager) };
    const bets = bet.game === "roulette" ? { bets: [{ type: "red", ...whole }] } : bet.game === "baccarat" ? { bets: [{ on: "player", ...whole }] } : {};
    return { ...bets, ...(bet.route === "/rounds" ? published.stepDefaults : published.defaults), ...sent };
}
/** The published games, by their gameType. */
export function publishedGames(answer) {
    const list = isObject(answer) && Array.isArray(answer["games"]) ? answer["games"].filter(isObject) : [];
    const members = (value) => (isObject(value) ? value : {});
    return new Map(list.map((game) => [String(game["gameType"]), {
            rules: String(game["rules"]), defaults: members(game["defaults"]), stepDefaults: members(members(game["steps"])["defaults"]), members: game,
        }]));
}
/** The rules of a bet. */
export function rulesOf(published) {
    const known = games.get(published.rules);
    if (known === undefined)
        throw new Unverifiable("unknown rules", `rules ${published.rules} are not known here`);
    return known;
}
/** The config that a bet is played by: of a stepped round, the bounded one. */
export function playedConfig(bet, published, maxPayout) {
    const config = configOf(bet, published);
    return bet.route === "/rounds" && bet.wager > 0n ? openedConfig(rulesOf(published), config, bet.wager, maxPayout) : config;
}
/** The most that a bet can pay. MAX stands for more than any amount, and for a round that can't be opened within its bound; null is unknown. */
export function couldPay(bet, published, maxPayout, greatestKnown) {
    const rules = rulesOf(published);
    const config = configOf(bet, published);
    if (bet.wager === 0n)
        return 0n;
    let most;
    if (bet.route === "/rounds") {
        most = greatestBySteps(rules, config, bet.wager, maxPayout);
        if (most === null)
            return MAX;
    }
    else {
        most = greatestAtOnce(rules, config) ?? greatestKnown;
    }
    if (most === null)
        return null;
    const paid = most.floorOf(bet.wager);
    return paid < MAX ? paid : MAX;
}
