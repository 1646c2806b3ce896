// Deposits, withdrawals, and their states.

import { useId, useRef, useState } from "preact/hooks";
import { api, Refusal, unreached } from "../../shared/api";
import { language, maybe, t } from "../../shared/i18n";
import { typed } from "../../shared/money";
import { complain, say } from "../../shared/notices";
import { session } from "../../shared/session";
import { amount, balances, setBalance, token, type Terms } from "../store";
import { Private, useRead } from "./private";

export default function Wallet() {
  return (
    <Private title={t("nav.wallet")}>
      {token.value !== null && (
        <div class="columns">
          <Deposit of={token.value} key={`d${token.value.token}`} />
          <Withdraw of={token.value} key={`w${token.value.token}`} />
        </div>
      )}
      <Transactions />
    </Private>
  );
}

const RETRY_MS = 700;
const TRIES = 60;

/** Registers a deposit, and repeats it until the chain has it. */
async function register(signature: string, mint: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const reported = await api.post("/deposit", { body: { signature, token: mint } });
      if ("balance" in reported && reported.balance !== undefined) setBalance(mint, reported.balance);
      return;
    } catch (failure) {
      const early = unreached(failure) || (failure instanceof Refusal && (failure.code === "UNAVAILABLE" || failure.details.reason === "not_found"));
      if (!early || attempt === TRIES) throw failure;
      await new Promise((again) => setTimeout(again, RETRY_MS));
    }
  }
}

function Deposit({ of }: { of: Terms }) {
  const id = useId();
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const send = async () => {
    const sum = typed(text, of.decimals, language.value);
    const account = session.value?.account;
    if (sum === null || account === undefined) return say(t("bet.invalid"), "bad");
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    try {
      const built = await api.post("/deposit/transaction", { body: { token: of.token, amount: sum } });
      const signature = await account.send(built.transaction);
      setText(""); // it is paid: pressing again must not pay again
      say(t("deposit.sent"));
      await register(signature, of.token);
    } catch (failure) {
      complain(failure);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  return (
    <form class="panel" id="deposit" onSubmit={(e) => { e.preventDefault(); void send(); }}>
      <h2>{t("deposit")}</h2>
      <div class="field">
        <label for={id}>{t("amount")}<span>{of.symbol}</span></label>
        <input id={id} inputMode="decimal" autoComplete="off" required value={text} onInput={(e) => setText(e.currentTarget.value)} />
        <small class="muted">{t("deposit.least", { amount: amount(of.minDeposit, of.token) })}</small>
        <small class="muted">{t("deposit.own")}</small>
      </div>
      <button type="submit" class="primary big" disabled={busy}>{busy ? t("deposit.waiting") : t("deposit")}</button>
    </form>
  );
}

function Withdraw({ of }: { of: Terms }) {
  const [sumId, toId] = [useId(), useId()];
  const [text, setText] = useState("");
  const [to, setTo] = useState(session.value?.wallet ?? "");
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    const sum = typed(text, of.decimals, language.value);
    if (sum === null) return say(t("bet.invalid"), "bad");
    setBusy(true);
    try {
      const asked = await api.post("/withdraw", { once: true, body: { amount: sum, token: of.token, destination: to.trim() } });
      setBalance(of.token, asked.balance);
      say(t("withdraw.asked"), "good");
      setText("");
    } catch (failure) {
      complain(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="panel" id="withdraw" onSubmit={(e) => { e.preventDefault(); void ask(); }}>
      <h2>{t("withdraw")}</h2>
      <div class="field">
        <label for={sumId}>{t("amount")}<span>{of.symbol}</span></label>
        <input id={sumId} inputMode="decimal" autoComplete="off" required value={text} onInput={(e) => setText(e.currentTarget.value)} />
        <small class="muted">{t("withdraw.available", { amount: amount(balances.value[of.token] ?? 0n, of.token) })}</small>
      </div>
      <div class="field">
        <label for={toId}>{t("withdraw.to")}</label>
        <input id={toId} autoComplete="off" spellcheck={false} required value={to} onInput={(e) => setTo(e.currentTarget.value)} />
      </div>
      <button type="submit" class="big" disabled={busy}>{t("withdraw")}</button>
    </form>
  );
}

function Transactions() {
  const [list, again] = useRead(() => api.get("/account/transactions"));
  const cancel = (id: string) => {
    api.post("/withdraw/{id}/cancel", { path: { id } }).then((done) => {
      setBalance(done.withdrawal.token, done.balance);
      again();
    }, complain);
  };
  return (
    <section>
      <h2>{t("transactions")}</h2>
      <div class="panel scroll" tabIndex={0} role="region" aria-label={t("transactions")}>
        <table>
          <thead><tr><th scope="col">{t("column.when")}</th><th scope="col">{t("column.what")}</th><th scope="col" class="number">{t("amount")}</th><th scope="col">{t("column.status")}</th><th scope="col"><span class="hidden">{t("cancel")}</span></th></tr></thead>
          <tbody>
            {list?.transactions.length === 0 && <tr><td colSpan={5} class="muted">{t("transactions.none")}</td></tr>}
            {list?.transactions.map((each) => (
              <tr key={each.id} data-transaction={each.id}>
                <td>{new Date(Number(each.createdAt)).toLocaleString(language.value)}</td>
                <td>{maybe(`transaction.${each.type}`)}</td>
                <td class="number">{each.amount === null ? "–" : `${each.direction === "credit" ? "+" : "−"}${amount(each.amount, each.token)}`}</td>
                <td><span class="tag">{maybe(`status.${each.status}`) ?? each.status}</span> {each.reason !== null && <small class="muted">{each.reason}</small>}</td>
                <td>{each.type === "withdrawal" && each.status === "pending" && <button type="button" onClick={() => cancel(each.id)}>{t("cancel")}</button>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
