"use strict";
const path = "/play/" + document.body.dataset.session;
const currency = document.body.dataset.currency;
const element = (id) => document.getElementById(id);
const [reels, balance, said, amount, spin, rounds] = ["reels", "balance", "said", "amount", "spin", "rounds"].map(element);
const names = new Map([...document.querySelectorAll("[data-sign]")].map((row) => [row.dataset.sign, row.querySelector(".name").textContent]));
const still = matchMedia("(prefers-reduced-motion: reduce)");

// What the wallet's refusals mean to a player.
const refusals = {
  INSUFFICIENT_USER_FUNDS: "Your balance is too small for this bet.",
  GAME_DISABLED: "This game is switched off.",
  LIMIT_EXCEEDED: "A limit that protects you is reached.",
  PLAYER_EXCLUDED: "You are excluded from play.",
  PLAYER_FROZEN: "Your account is frozen.",
  BLOCKED_AGENT: "Your operator is blocked.",
};

// Money comes as the wallet's decimal text and stays text: a float would round it.
const money = (text) => {
  const [whole, fraction = ""] = String(text).split(".");
  return whole + "." + fraction.replace(/0+$/, "").padEnd(2, "0");
};
const cents = (hundredths) => (hundredths / 100).toFixed(2);
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
  if (now.refused) say(refusals[now.refused] || "The wallet refuses: " + now.refused, "refused");
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
  if (round.win > 0) say("Three of " + line[0] + ": you win " + inCurrency(cents(round.win)), "win");
  else say("No win", "");
  const row = rounds.tBodies[0].insertRow(0);
  row.title = "Transaction " + round.txnId;
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
  if (round.refused) say(refusals[round.refused] || "The wallet refuses: " + round.refused, "refused");
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
