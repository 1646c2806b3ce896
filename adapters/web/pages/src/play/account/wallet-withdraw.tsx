// A withdrawal: how much, where to, and what arrives.

import { useId, useState } from "preact/hooks";
import { AmountInput, allowed } from "../../shared/amount-input";
import { api } from "../../shared/api";
import { language, t } from "../../shared/i18n";
import { entry } from "../../shared/money";
import { complain, say } from "../../shared/notices";
import { setQuery } from "../../shared/route";
import { session } from "../../shared/session";
import { amount, balances, setBalance, type Terms } from "../store";

export function Withdraw({ of }: { of: Terms }) {
  const toId = useId();
  const [text, setText] = useState("");
  const [to, setTo] = useState(session.value?.wallet ?? "");
  const [busy, setBusy] = useState(false);
  const fee = BigInt(of.newAccountFee);
  const balance = balances.value[of.token] ?? 0n;
  const available = balance > fee ? balance - fee : 0n;
  const bounds = { min: of.minWithdrawal, max: of.maxWithdrawal, available };
  const most = available < BigInt(of.maxWithdrawal) ? available : BigInt(of.maxWithdrawal);
  const sum = allowed(text, of.decimals, bounds);
  const ask = async () => {
    if (sum === null) return;
    setBusy(true);
    try {
      const asked = await api.post("/withdraw", { once: true, body: { amount: sum, token: of.token, destination: to.trim() } });
      setBalance(of.token, asked.balance);
      say(t("withdraw.asked"), "good");
      setText("");
      setQuery({ tab: "transactions" });
    } catch (failure) {
      complain(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="panel" id="withdraw" onSubmit={(e) => { e.preventDefault(); void ask(); }}>
      <h2>{t("withdraw")}</h2>
      <p class="muted">{t("withdraw.available", { amount: amount(available, of.token) })}</p>
      <AmountInput label={t("amount")} symbol={of.symbol} decimals={of.decimals} value={text} onInput={setText} required {...bounds}>
        <button type="button" disabled={most === 0n} onClick={() => setText(entry(most, of.decimals, language.value))}>{t("max")}</button>
      </AmountInput>
      <div class="field">
        <label for={toId}>{t("withdraw.to")}</label>
        <input id={toId} autoComplete="off" spellcheck={false} required value={to} onInput={(e) => setTo(e.currentTarget.value)} />
        {to.trim() !== session.value?.wallet && <small class="muted">{t("withdraw.other")}</small>}
      </div>
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
