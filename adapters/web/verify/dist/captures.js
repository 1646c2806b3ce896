// Checks a capture, as docs/fairness/capture.md says: what a player was shown, line by line, without
// the service.
import { betOf, couldPay, publishedGames } from "./bets.js";
import { Blocks } from "./blocks.js";
import { Decimal } from "./decimal.js";
import { Unverifiable } from "./errors.js";
import { Findings } from "./findings.js";
import { Fraction } from "./fraction.js";
import { isObject, parse, same } from "./json.js";
import { verifyReceipt } from "./receipts.js";
import { judgeRefusal } from "./refusals.js";
import { Malformed, objectOf, Seat, textOf, wholeOf } from "./seats.js";
import { Selection } from "./selection.js";
import { hex, Sha256 } from "./sha256.js";
import { integerOf, receiptKeysOf, utf8 } from "./signatures.js";
import { verifySolvency } from "./solvency.js";
import { StatementFault, factOf, verifyStatement } from "./statements.js";
const FORM = 1n; // of the file
const TOGETHER = 32; // signatures that are verified at the same time
const NO_KEYS = "The capture has no keys for receipts: receipts, signed refusals, signed limits and solvency were not checked.";
const NO_WALLETS = "The capture does not name the players' wallets: receipts were not checked.";
class Capture {
    findings = new Findings();
    leftOut = new Set();
    receipts = 0;
    ended = false;
    players = null;
    keys = new Map();
    firstRules = null;
    rulesShown = 0;
    seats = new Map();
    blocks = new Blocks();
    /** The configs of rounds that are played step by step, and the published greatest multipliers of the others. */
    bySteps = new Set();
    greatest = new Map();
    limits = new Set();
    publishedMax = new Set();
    stated = [];
    digest = new Sha256();
    checking = [];
    failed;
    ledger = null;
    games = 0;
    shared = {
        findings: this.findings, selection: new Selection(), token: "", published: new Map(), variances: new Map(), ids: new Set(), seeds: new Set(),
        commitments: new Set(), clientSeeds: new Set(), maxPayouts: [], rounds: 0, pairs: 0,
    };
    /** Takes a line of the file; returns false if nothing after it can be read. */
    async take(text, line) {
        let read;
        try {
            read = parse(text);
            if (!isObject(read))
                throw new Malformed("it is no object");
            if (line === 1)
                return this.begin(read);
            if (this.ended)
                throw new Malformed("it comes after the end");
            if (read["line"] !== "end")
                this.digest.add(utf8(text + "\n"));
        }
        catch (error) {
            if (!(error instanceof SyntaxError) && !(error instanceof Malformed))
                throw error;
            this.findings.add("form", line, `no line of a capture: ${error.message}`);
            return line > 1;
        }
        finally {
            if (line === 1)
                this.digest.add(utf8(text + "\n"));
        }
        try {
            await this.read(read, line, text);
        }
        catch (error) {
            if (!(error instanceof Malformed) && !(error instanceof Unverifiable))
                throw error;
            this.findings.add("form", line, `the line can't be read: ${error.message}`);
        }
        return true;
    }
    begin(read) {
        const capture = objectOf(read, "capture");
        if (read["line"] !== "capture" || integerOf(capture["form"]) !== FORM)
            throw new Malformed(`it is not the first one of a capture of form ${FORM}`);
        this.shared.token = textOf(capture, "token");
        const { players, games } = capture;
        if (Array.isArray(games))
            this.games = games.length;
        if (Array.isArray(players) && players.every((wallet) => typeof wallet === "string"))
            this.players = players;
        return true;
    }
    async read(read, line, text) {
        const kind = read["line"];
        if (kind === "end")
            return this.end(read, line);
        const at = wholeOf(read, "at");
        if (kind !== "rotation" && kind !== "kept" && kind !== "rules" && kind !== "config") {
            this.findings.expect(!/"serverSeed":\s*"/.test(text), "hidden", line, () => "a server seed is shown before its reveal");
        }
        switch (kind) {
            case "rules": return this.rules(read, line);
            case "config": return this.config(read);
            case "keys":
                this.keys = receiptKeysOf(objectOf(read, "answered"));
                return;
            case "limits": return this.publishedLimits(objectOf(read, "answered"), line, at);
            case "refused": return this.refused(read, line, at);
            case "unanswered": return this.declined(read, line, false);
            case "solvency": return this.solvency(read, line);
        }
        const seat = this.seatOf(read);
        const answer = objectOf(read, "answered");
        switch (kind) {
            case "balance": return seat.balanced(line, answer);
            case "seed": return seat.seed(line, answer);
            case "rotation":
                seat.rotate(line, read["clientSeed"], answer);
                break;
            case "kept": return seat.kept(line, answer);
            case "shared": return seat.bets.look(line, answer);
            case "sharedRound": return seat.bets.settle(line, answer);
            case "sharedBet":
                seat.bets.place(line, at, read["asked"], answer, this.shared.ids);
                break;
            case "sharedCashOut":
                seat.bets.cashOut(line, at, answer);
                break;
            case "round":
                seat.play(line, at, this.betOf(read, line, false), answer, this.keys.size > 0);
                break;
            case "open":
                seat.open(line, at, this.betOf(read, line, true), answer, this.keys.size > 0);
                break;
            case "step":
                seat.step(line, at, read["asked"], answer, this.keys.size > 0);
                break;
            default: throw new Malformed(`lines of the kind ${String(kind)} are not known`);
        }
        this.checking.push(this.receipt(read, line, answer).catch((error) => void (this.failed ??= error)));
        if (this.checking.length >= TOGETHER)
            await this.checked();
    }
    /** Waits for the receipts whose signatures are still being verified. */
    async checked() {
        await Promise.all(this.checking.splice(0));
        if (this.failed !== undefined)
            throw this.failed;
    }
    seatOf(read) {
        const number = wholeOf(read, "player");
        const seat = this.seats.get(number) ?? new Seat(number, this.shared);
        this.seats.set(number, seat);
        return seat;
    }
    walletOf(read) {
        return this.players?.[Number(wholeOf(read, "player")) - 1] || null;
    }
    betOf(read, line, bySteps) {
        const bet = betOf(line, read["asked"], read["config"], bySteps);
        if (bet === null)
            throw new Malformed("asked is no bet");
        return bet;
    }
    /** An answer of GET /public/games. Limits may change, nothing else. */
    rules(read, line) {
        const published = publishedGames(objectOf(read, "answered"));
        const games = new Map([...published].map(([name, { members: { limits: _, ...kept } }]) => [name, kept]));
        this.rulesShown++;
        for (const { members } of published.values()) {
            for (const limit of Array.isArray(members["limits"]) ? members["limits"].filter(isObject) : [])
                this.publishedMax.add(`${String(limit["token"])} ${String(limit["maxPayout"])}`);
        }
        if (this.firstRules === null) {
            this.firstRules = { line, games };
            this.shared.published = published;
            return;
        }
        for (const name of new Set([...this.firstRules.games.keys(), ...games.keys()])) {
            const holds = same(games.get(name) ?? null, this.firstRules.games.get(name) ?? null);
            this.findings.expect(holds, "rules", line, () => `the published rules of ${name} changed since line ${this.firstRules.line}`);
        }
    }
    config(read) {
        const number = wholeOf(read, "config");
        if (read["name"] === "steps")
            this.bySteps.add(number);
        const answer = read["answered"];
        if (!isObject(answer))
            return;
        const variance = isObject(answer["variance"]) ? answer["variance"]["decimal"] : null;
        if (variance instanceof Decimal)
            this.shared.variances.set(number, Number(variance.text));
        const most = answer["maxMultiplier"];
        if (most instanceof Decimal && most.units !== null)
            this.greatest.set(number, new Fraction(most.units, 10n ** BigInt(most.scale)));
    }
    /** An answer of GET /public/limits. */
    async publishedLimits(answer, line, at) {
        for (const one of Array.isArray(answer["tokens"]) ? answer["tokens"].filter(isObject) : []) {
            const [minWager, maxWager, maxPayout] = ["minWager", "maxWager", "maxPayout"].map((name) => wholeOf(one, name));
            const token = textOf(one, "token");
            this.limits.add(nameOf({ token, minWager, maxWager, maxPayout }));
            this.publishedMax.add(`${token} ${maxPayout}`);
        }
        if (this.keys.size === 0)
            return void this.leftOut.add(NO_KEYS);
        try {
            const facts = await verifyStatement(answer["receipt"], this.keys, "limits");
            const { receipt: _, ...others } = answer;
            if (!same(parse(factOf(facts, "limits")), others))
                throw new StatementFault("other limits are signed than those that are shown");
            const time = BigInt(factOf(facts, "time"));
            if ((time > at ? time - at : at - time) > 180000n)
                throw new StatementFault(`they are signed as of ${time}, and were shown at ${at}`);
        }
        catch (error) {
            if (!(error instanceof StatementFault) && !(error instanceof SyntaxError))
                throw error;
            this.findings.add("limits", line, `the published limits: ${error.message}`);
        }
    }
    /** A bet that was refused, or an action. */
    async refused(read, line, at) {
        const asked = objectOf(read, "asked");
        if (Object.hasOwn(asked, "actions"))
            return; // refused actions are not signed, and no bets
        const seat = this.seatOf(read);
        const bet = this.betOf(read, line, this.isBySteps(read));
        const known = {
            wallet: this.walletOf(read), commitment: seat.pair?.commitment ?? null, nonce: seat.nonce + (seat.opened === null ? 0n : 1n), balance: seat.balance,
            openRounds: seat.opened === null ? 0n : 1n, at, couldPay: (maxPayout) => this.couldPay(bet, maxPayout),
        };
        this.declined(read, line, true);
        if (this.keys.size === 0)
            return void this.leftOut.add(NO_KEYS);
        const { faults, limits } = await judgeRefusal(bet, objectOf(read, "answered"), this.keys, known);
        for (const fault of faults)
            this.findings.add("refusal", line, `player ${wholeOf(read, "player")}: ${fault}`);
        if (limits !== null)
            this.stated.push({ line, limits });
    }
    couldPay(bet, maxPayout) {
        const published = this.shared.published.get(bet.game);
        const known = bet.config === null ? undefined : this.greatest.get(bet.config);
        try {
            return published === undefined ? null : couldPay(bet, published, maxPayout, known ?? null);
        }
        catch (error) {
            if (!(error instanceof Unverifiable))
                throw error;
            return null; // the config can't be played: no figure follows from it
        }
    }
    declined(read, line, answered) {
        this.seatOf(read).decline(this.betOf(read, line, this.isBySteps(read)), answered);
    }
    /** Whether a bet's config is one of those that are played step by step. */
    isBySteps(read) {
        return this.bySteps.has(wholeOf(read, "config"));
    }
    /** An answer of GET /account/solvency. */
    async solvency(read, line) {
        if (this.keys.size === 0)
            return void this.leftOut.add(NO_KEYS);
        const player = wholeOf(read, "player");
        try {
            await this.checked();
            const { wallet, heads, ledger, owed } = await verifySolvency(objectOf(read, "answered"), this.keys);
            const own = this.walletOf(read);
            if (own !== null && wallet !== own)
                throw new StatementFault(`it is of the wallet ${wallet}, not of ${own}`);
            for (const { lane, seq, hash } of heads) {
                const other = this.blocks.otherThan(ledger, lane, seq, hash);
                if (other !== null)
                    throw new StatementFault(`it names another block for lane ${lane}, seq ${seq} than the receipt of line ${other}`);
            }
            const proved = this.seatOf(read).proved.sort((a, b) => a.line - b.line);
            const last = proved.map(({ lane, seq }) => heads.some((head) => head.lane === lane && seq <= head.seq)).lastIndexOf(true);
            if (last < 0)
                return; // of a time before the capture
            const [before, next] = [proved[last].balance, (proved[last + 1] ?? proved[last]).balance];
            const least = before < next ? before : next;
            const stated = owed.find(({ token }) => token === this.shared.token);
            const sum = stated === undefined ? 0n : stated.available + stated.held + stated.staked + stated.unclaimed;
            if (sum < least)
                throw new StatementFault(`it states that ${sum} is owed, the balance was ${least} or more`);
        }
        catch (error) {
            if (!(error instanceof StatementFault))
                throw error;
            this.findings.add("solvency", line, `player ${player}: ${error.message}`);
        }
    }
    /** The receipt of an answer, which has to be of what the answer is about. */
    async receipt(read, line, answer) {
        if (this.keys.size === 0)
            return void this.leftOut.add(NO_KEYS);
        const wallet = this.walletOf(read);
        if (wallet === null)
            return void this.leftOut.add(NO_WALLETS);
        const { fault, head } = await verifyReceipt(answer, this.keys, wallet);
        const round = answer["round"];
        const kind = read["line"] === "rotation" ? "pair" : isObject(answer["bet"]) || (isObject(round) && round["status"] === "open") ? "round.open" : "round";
        const leaf = isObject(answer["receipt"]) && isObject(answer["receipt"]["leaf"]) ? answer["receipt"]["leaf"] : {};
        const wrong = fault ?? (leaf["kind"] === kind ? null : `it is of a ${String(leaf["kind"])}, not of a ${kind}`);
        if (wrong === null)
            this.receipts++;
        else
            this.findings.add("receipt", line, wrong);
        if (head === null)
            return;
        this.ledger ??= head.ledger;
        if (head.ledger !== this.ledger)
            this.findings.add("receipt", line, `it is of the ledger ${head.ledger}, the first one of ${this.ledger}`);
        const balance = integerOf(answer["balance"]);
        if (balance !== null)
            this.seatOf(read).proved.push({ line, lane: head.lane, seq: head.seq, balance });
        const other = this.blocks.add(line, head);
        if (other !== null)
            this.findings.add("receipt", line, `two histories, this line and line ${other.line}: ${other.what}`);
    }
    end(read, line) {
        this.ended = true;
        const end = objectOf(read, "end");
        const digest = hex(this.digest.digest());
        this.findings.expect(end["sha256"] === digest, "form", line, () => "the lines before do not have the SHA-256 of the end: they were changed");
        const rounds = wholeOf(end, "rounds");
        this.findings.expect(rounds === BigInt(this.shared.rounds), "form", line, () => `the end counts ${rounds} rounds, the file has ${this.shared.rounds}`);
    }
    /** What only the whole file shows. */
    async finish(lines) {
        const { findings, shared } = this;
        await this.checked();
        findings.expect(this.ended, "form", lines, () => "the capture has no end: lines are missing");
        findings.expect(shared.rounds > 0, "form", lines, () => "no round was captured, so nothing is shown");
        findings.expect(this.rulesShown !== 1, "rules", lines, () => "the rules were not read again at the end");
        for (const seat of this.seats.values())
            seat.end(lines);
        for (const { line, limits } of this.stated) {
            const published = this.limits.has(nameOf(limits)) || (limits.maxPayout === 0n && ![...this.limits].some((name) => name.startsWith(limits.token + " ")));
            findings.expect(published, "limits", line, () => `the refusal states limits of ${limits.token} that were never published: ${nameOf(limits)}`);
        }
        for (const { line, maxPayout } of shared.maxPayouts) {
            findings.expect(this.publishedMax.has(`${shared.token} ${maxPayout}`), "asked", line, () => `the round is bounded by the maxPayout ${maxPayout}, which was never published`);
        }
        for (const { line, game, test, probability } of shared.selection.findings(this.games)) {
            findings.add("selection", line, `${game}, ${test}: an honest house has it with a probability of at most ${probability.toExponential(1)}`);
        }
        findings.shown.sort((a, b) => a.line - b.line);
    }
    get playersSeen() {
        return this.seats.size;
    }
}
const nameOf = ({ token, minWager, maxWager, maxPayout }) => `${token} ${minWager} ${maxWager} ${maxPayout}`;
/** Checks the lines of a capture, without their line feeds. Fails with NoEd25519 where signatures can't be verified. */
export async function checkCapture(lines) {
    const capture = new Capture();
    let line = 0;
    let readable = true;
    for await (const text of lines) {
        readable = await capture.take(text, ++line);
        if (!readable)
            break;
    }
    if (readable)
        await capture.finish(line === 0 ? 1 : line);
    const { findings, shared } = capture;
    return {
        rounds: shared.rounds, pairs: shared.pairs, players: capture.playersSeen, receipts: capture.receipts, findings: findings.shown,
        found: [...findings.counts.values()].reduce((sum, count) => sum + count, 0), leftOut: [...capture.leftOut],
    };
}
