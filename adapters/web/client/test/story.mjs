// A player's whole session with the client, from sign-in to sign-out, at a real service and behind
// a proxy that loses answers and cuts streams. It runs unchanged in Node.js and in pages.

/** Throws unless the condition holds. */
function holds(what, is) {
  if (!is) throw new Error(what);
}

const same = (what, got, want) => holds(`${what}: ${got}, want ${want}`, String(got) === String(want));

/** Plays a round of mines: two tiles, then the prize. */
async function mines(alice, token) {
  let { round } = await alice.openRound({ gameType: "mines", wager: 1_000_000, token, config: { mines: 3 } });
  while (round.status === "open") {
    same("open rounds", (await alice.openRounds()).map(({ id }) => id), round.id);
    const out = round.choices.find(({ action }) => action.type === "cashOut");
    ({ round } = round.step < 2 || out === undefined
      ? await alice.step(round, { type: "open", tile: round.step })
      : await alice.step(round, out.action));
  }
  return round;
}

/** Collects the values of an iteration until it ends. */
async function note(from, into) {
  for await (const each of from) into.push(each);
}

/** Waits until a condition holds; events arrive on their own. */
async function until(is) {
  for (let tries = 0; !is(); tries++) {
    holds("it doesn't come", tries < 1_500);
    await new Promise((again) => setTimeout(again, 20));
  }
}

/** line is the address of a proxy that loses answers; sign signs as the wallet, and pay signs a
 * transaction and sends it. */
export async function story({ Casino, SessionEnded, decimal, units, verify, line, wallet, sign, pay }) {
  const casino = new Casino(line);
  const { token: bearer } = await casino.signIn(wallet, sign);
  const alice = casino.as(bearer);

  const { tokens } = await casino.call("GET /public/tokens")();
  const { token, decimals } = tokens.find(({ program }) => program === "system");
  const amount = units("2.5", decimals);
  const { transaction } = await alice.call("POST /deposit/transaction")({ body: { token, amount } });
  const credited = await alice.finalDeposit(await pay(transaction), token);
  same("the deposit", `${credited.transaction.status} ${decimal(credited.balance, decimals)}`, "credited 2.5");

  const heard = [];
  const ends = new AbortController();
  let opened = 0;
  const listening = note(alice.events({ signal: ends.signal, onOpen: () => opened++ }), heard);
  await until(() => opened > 0);

  const rounds = [];
  let balance = amount;
  for (let n = 0; n < 5; n++) {
    const played = await alice.play({ gameType: "dice", wager: 1_000_000n, token, config: { target: 50 } });
    balance += BigInt(played.round.payout) - 1_000_000n;
    same("the balance after a round whose answer was lost", played.balance, balance);
    rounds.push(played.round.id);
  }
  const stepped = await mines(alice, token);
  rounds.push(stepped.id);
  balance += BigInt(stepped.payout) - 1_000_000n;
  same("the balance", (await alice.balances()).get(token), balance);

  const { revealed, seed } = await alice.rotateSeed("a choice of my own");
  same("the revealed pair's rounds", revealed.rounds, rounds.length);
  same("the next pair", seed.clientSeed, "a choice of my own");
  for (const id of rounds) {
    const { verified, differences } = verify(await alice.text("GET /history/{id}")({ path: { id } }));
    holds(`round ${id} differs: ${JSON.stringify(differences)}`, verified);
  }
  const listed = [];
  await note(alice.history({ limit: 2 }), listed);
  same("the history, two a page", listed.map(({ id }) => id).reverse(), rounds);

  const order = { amount: 100_000_000, token, destination: wallet };
  const { withdrawal } = await alice.withdraw(order);
  const postings = [];
  await note(alice.transactions({ limit: 1 }), postings);
  same("the postings", postings.map(({ type }) => type), "withdrawal,deposit");
  same("the withdrawal", (await alice.cancelWithdrawal(withdrawal.id)).withdrawal.status, "cancelled");

  await until(() => opened > 1 && heard.some(({ type, subject }) => type === "casino.withdrawal.cancelled" && subject === withdrawal.id));
  same("rounds heard", heard.filter(({ type }) => type === "casino.round.settled").map(({ subject }) => subject), rounds);
  const changes = heard.filter(({ type }) => type === "casino.balance.changed");
  same("balances heard", changes.reduce((sum, { data }) => sum + BigInt(data.amount), amount), balance);

  const [first] = heard;
  const again = [];
  const enough = new AbortController();
  for await (const event of alice.events({ cursor: first.cursor, signal: enough.signal, types: ["round.settled"] })) {
    if (again.push(event.subject) === rounds.length - 1) break;
  }
  holds("from a place on", again.every((id) => rounds.includes(id)));
  ends.abort();
  await listening;

  await alice.signOut();
  for (const asks of [() => alice.balances(), () => note(alice.events(), [])]) {
    const failure = await asks().then(() => null, (reason) => reason);
    holds(`after the sign-out: ${failure}`, failure instanceof SessionEnded && failure.status === 401);
  }
  return { rounds: rounds.length, heard: heard.length, opened };
}
