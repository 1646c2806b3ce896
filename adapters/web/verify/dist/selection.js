// Whether refusals depend on outcomes, as docs/fairness/capture.md says: a gambler stakes a part of a
// purse on each bet that the house declined. By Ville's inequality an honest house multiplies the
// purse by N with a probability of at most 1/N. Purses are kept as logarithms: they grow without limit.
const LEVEL = 1e-6; // of all tests together
const PARTS = [0.9, ...Array.from({ length: 9 }, (_, i) => 2 ** -(i + 1))]; // 0.9, 1/2, 1/4 … 1/512
const CELLS = 16;
const ALL = "all games";
/** A bet on multipliers whose mean is at most 1: the mean of twenty purses, each of which stakes another part. */
class Purse {
    logs = new Array(2 * PARTS.length).fill(0);
    /** The logarithm of the most that the mean was ever multiplied by. */
    most = 0;
    stake(multiplier, variance) {
        const less = Math.max(1, variance);
        PARTS.forEach((part, i) => {
            this.logs[i] += Math.log1p(part * (multiplier - 1));
            this.logs[PARTS.length + i] += Math.log1p((part / less) * (multiplier - 1));
        });
        const top = Math.max(...this.logs);
        const mean = top + Math.log(this.logs.reduce((sum, log) => sum + Math.exp(log - top), 0) / this.logs.length);
        this.most = Math.max(this.most, mean);
    }
}
/** A bet on the sixteenth that a first draw falls into, by those seen before (Krichevsky and Trofimov). */
class DrawPurse {
    seen = new Array(CELLS).fill(0);
    count = 0;
    log = 0;
    most = 0;
    stake(draw) {
        const cell = Math.floor((draw * CELLS) / 2 ** 32);
        this.log += Math.log((CELLS * (this.seen[cell] + 0.5)) / (this.count + CELLS / 2));
        this.seen[cell]++;
        this.count++;
        this.most = Math.max(this.most, this.log);
    }
}
class Tests {
    first = new Purse();
    again = new Purse();
    draws = new DrawPurse();
    line = 0;
}
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
export class Selection {
    games = new Map();
    /** Takes the bets that were declined at a nonce. */
    add({ line, firstDraw, bets }) {
        const [first, ...further] = bets;
        if (first === undefined)
            return;
        for (const name of [first.game, ALL]) {
            const tests = this.of(name, line);
            tests.first.stake(first.multiplier, first.variance);
            tests.draws.stake(firstDraw);
        }
        for (const name of new Set([...further.map(({ game }) => game), ...(further.length > 0 ? [ALL] : [])])) {
            const own = further.filter(({ game }) => name === ALL || game === name);
            this.of(name, line).again.stake(mean(own.map(({ multiplier }) => multiplier)), mean(own.map(({ variance }) => variance)));
        }
    }
    /** How many tests there are of the games that declined bets. */
    get tests() {
        return 3 * this.games.size;
    }
    /** The tests that an honest house passes, by Holm's procedure at the level of all together: three of each captured game, and of all games. */
    findings(captured = 0) {
        const count = Math.max(this.tests, 3 * (captured + 1));
        const all = [...this.games].flatMap(([game, { first, again, draws, line }]) => [
            { line, game, test: "return of refused bets", probability: Math.exp(-first.most) },
            { line, game, test: "return of bets that were refused again", probability: Math.exp(-again.most) },
            { line, game, test: "first draws of refused bets", probability: Math.exp(-draws.most) },
        ]).sort((a, b) => a.probability - b.probability);
        const passed = all.findIndex(({ probability }, i) => probability > LEVEL / (count - i));
        return passed < 0 ? all : all.slice(0, passed);
    }
    of(game, line) {
        const tests = this.games.get(game) ?? new Tests();
        this.games.set(game, tests);
        tests.line = line;
        return tests;
    }
}
