"use strict";
const path = "/play/" + document.body.dataset.session;
const currency = document.body.dataset.currency;
const element = (id) => document.getElementById(id);
const [reels, balance, said, amount, spin, rounds] = ["reels", "balance", "said", "amount", "spin", "rounds"].map(element);
const names = new Map([...document.querySelectorAll("[data-sign]")].map((row) => [row.dataset.sign, row.querySelector(".name").textContent]));
const still = matchMedia("(prefers-reduced-motion: reduce)");

// The texts in the page's language.
const words = JSON.parse(document.body.dataset.words);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
const refusal = (code) => words.refusals[code] || fill(words.refused, { code });

// Money comes as the wallet's decimal text and stays text: a float would round it.
const money = (text) => {
  const [whole, fraction = ""] = String(text).split(".");
  return whole + words.decimal + fraction.replace(/0+$/, "").padEnd(2, "0");
};
const cents = (hundredths) => money((hundredths / 100).toFixed(2));
const inCurrency = (text) => (currency ? text + " " + currency : text);

function say(text, kind) {
  said.textContent = text;
  said.className = kind;
}

async function ask(url, options) {
  const answer = await fetch(url, options);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function showBalance() {
  const now = await ask(path + "/balance");
  if (now.refused) say(refusal(now.refused), "refused");
  else balance.textContent = money(now.balance);
}

function show(round) {
  const line = round.window.map((sign) => names.get(sign));
  round.window.forEach((sign, i) => {
    reels.children[i].querySelector("b").textContent = sign;
    reels.children[i].querySelector("small").textContent = line[i];
  });
  reels.setAttribute("aria-label", line.join(", "));
  reels.classList.toggle("won", round.win > 0);
  if (round.win > 0) say(fill(words.won, { symbol: line[0], amount: inCurrency(cents(round.win)) }), "win");
  else say(words.lost, "");
  const row = rounds.tBodies[0].insertRow(0);
  row.title = fill(words.transaction, { id: round.txnId });
  row.dataset.txn = round.txnId;
  row.className = round.win > 0 ? "won" : "";
  for (const text of [round.window.join(" "), cents(round.bet), cents(round.win), money(round.balance)]) {
    row.insertCell().textContent = text;
  }
  row.cells[0].setAttribute("aria-label", line.join(", "));
  if (rounds.rows.length > 11) rounds.tBodies[0].deleteRow(-1);
  rounds.hidden = false;
}

async function play() {
  const bet = Math.round(Number(amount.value) * 100);
  // The reels turn for a moment even when the wallet is quick.
  const turned = new Promise((done) => setTimeout(done, still.matches ? 0 : 500));
  const round = await ask(path + "/spin", { method: "POST", body: JSON.stringify({ bet }) });
  await turned;
  if (round.refused) say(refusal(round.refused), "refused");
  else show(round);
  balance.textContent = money(round.balance);
}

// The button stays enabled while it turns: a disabled one would lose the keyboard's focus.
let turning = false;
function turn(on) {
  turning = on;
  spin.setAttribute("aria-disabled", on);
  reels.classList.toggle("turning", on);
}

element("bet").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (turning) return;
  turn(true);
  reels.classList.remove("won");
  try {
    await play();
  } catch (failure) {
    say(failure.message, "refused");
  } finally {
    turn(false);
  }
});

for (const button of document.querySelectorAll("[data-times]")) {
  button.addEventListener("click", () => {
    const next = Math.floor(Number(amount.value) * 100 * Number(button.dataset.times)) / 100;
    amount.value = Math.min(Number(amount.max), Math.max(Number(amount.min), next)).toFixed(2);
  });
}
showBalance().catch((failure) => say(failure.message, "refused"));
