"use strict";
const path = "/play/" + document.body.dataset.session;
const element = (id) => document.getElementById(id);
const [reels, balance, said, amount, spin] = ["reels", "balance", "said", "amount", "spin"].map(element);
for (const cell of document.querySelectorAll("[data-pay]")) {
  cell.textContent = "× " + Number(cell.dataset.pay) / 100;
}

async function ask(url, options) {
  const answer = await fetch(url, options);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function showBalance() {
  const now = await ask(path + "/balance");
  balance.textContent = now.refused || now.balance;
}

element("bet").addEventListener("submit", async (event) => {
  event.preventDefault();
  spin.disabled = true;
  reels.classList.add("turning");
  said.textContent = "";
  try {
    const bet = Math.round(Number(amount.value) * 100);
    const round = await ask(path + "/spin", { method: "POST", body: JSON.stringify({ bet }) });
    balance.textContent = round.balance;
    if (round.refused) {
      said.textContent = round.refused;
    } else {
      [...reels.children].forEach((reel, i) => { reel.textContent = round.window[i]; });
      said.textContent = round.win > 0 ? "You win " + (round.win / 100).toFixed(2) : "No win";
    }
  } catch (failure) {
    said.textContent = failure.message;
  } finally {
    reels.classList.remove("turning");
    spin.disabled = false;
  }
});
showBalance().catch((failure) => { said.textContent = failure.message; });
