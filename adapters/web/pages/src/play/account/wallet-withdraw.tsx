// A withdrawal: how much, where to, and what arrives.

import { useState } from "preact/hooks";
import { AmountInput, allowed } from "../../shared/amount-input";
import { api } from "../../shared/api";
import { useBusy } from "../../shared/busy";
import { Input } from "../../shared/fields";
import { language, t } from "../../shared/i18n";
import { entry } from "../../shared/money";
import { say } from "../../shared/notices";
import { setQuery } from "../../shared/route";
import { session } from "../../shared/session";
import { amount, balances, setBalance, type Terms } from "../store";

export function Withdraw({ of }: { of: Terms }) {
  const [text, setText] = useState("");
  const [to, setTo] = useState(session.value?.wallet ?? "");
  const [busy, run] = useBusy();
  const fee = BigInt(of.newAccountFee);
  const balance = balances.value[of.token] ?? 0n;
  const available = balance > fee ? balance - fee : 0n;
  const bounds = { min: of.minWithdrawal, max: of.maxWithdrawal, available };
  const most = available < BigInt(of.maxWithdrawal) ? available : BigInt(of.maxWithdrawal);
  const sum = allowed(text, of.decimals, bounds);
  const ask = async () => {
    if (sum === null) return;
    const asked = await api.post("/withdraw", { once: true, body: { amount: sum, token: of.token, destination: to.trim() } });
    setBalance(of.token, asked.balance);
    say(t("withdraw.asked"), "good");
    setText("");
    setQuery({ tab: "transactions" });
  };
  return (
    <form class="panel" id="withdraw" onSubmit={(e) => { e.preventDefault(); void run(ask); }}>
      <h2>{t("withdraw")}</h2>
      <p class="muted">{t("withdraw.available", { amount: amount(available, of.token) })}</p>
      <AmountInput label={t("amount")} symbol={of.symbol} decimals={of.decimals} value={text} onInput={setText} required {...bounds}>
        <button type="button" disabled={most === 0n} onClick={() => setText(entry(most, of.decimals, language.value))}>{t("max")}</button>
      </AmountInput>
      <Input label={t("withdraw.to")} spellcheck={false} required value={to} onInput={(e) => setTo(e.currentTarget.value)}>
        {to.trim() !== session.value?.wallet && <small class="muted">{t("withdraw.other")}</small>}
      </Input>
      <dl class="sums">
        <div><dt class="muted">{t("withdraw.fee")}</dt><dd>{fee === 0n ? t("withdraw.free") : t("withdraw.most", { amount: amount(fee, of.token) })}</dd></div>
        <div><dt class="muted">{t("withdraw.arrives")}</dt><dd id="arrives">{sum === null ? "–" : amount(sum, of.token)}</dd></div>
        <div><dt class="muted">{t("withdraw.remains")}</dt><dd>{sum === null ? "–" : amount(balance - sum - fee, of.token)}</dd></div>
      </dl>
      {fee > 0n && <p class="muted">{t("withdraw.fee.explain")}</p>}
      <button type="submit" class="primary big" disabled={busy}>{t("withdraw")}</button>
    </form>
  );
}
