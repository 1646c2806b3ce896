// Deposits: from the player's wallet by a transaction that it signs, to the treasury's address, and
// by the signature of a payment that was made elsewhere.

import { useState } from "preact/hooks";
import { AmountInput, allowed } from "../../shared/amount-input";
import { api, Refusal, unreached } from "../../shared/api";
import { useBusy } from "../../shared/busy";
import { Copied } from "../../shared/copied";
import { Input } from "../../shared/fields";
import { language, t } from "../../shared/i18n";
import { lazily } from "../../shared/lazily";
import { entry } from "../../shared/money";
import { say } from "../../shared/notices";
import { session } from "../../shared/session";
import { amount, setBalance, type Terms } from "../store";
import { useRead } from "./private";

const Qr = lazily(() => import("./qr"));

const RETRY_MS = 700;
const TRIES = 60;

/** Registers a deposit, and repeats it until the chain has it; true once it is credited. */
async function register(signature: string, mint: string): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      const reported = await api.post("/deposit", { body: { signature, token: mint } });
      const credited = "balance" in reported && reported.balance !== undefined;
      if (credited) setBalance(mint, reported.balance);
      return credited;
    } catch (failure) {
      const early = unreached(failure) || (failure instanceof Refusal && (failure.code === "UNAVAILABLE" || failure.details.reason === "not_found"));
      if (!early || attempt === TRIES) throw failure;
      await new Promise((again) => setTimeout(again, RETRY_MS));
    }
  }
}

/** What Max leaves in the wallet of SOL: a fee, and what an account has to hold. */
const LEFT_LAMPORTS = 1_000_000n;

export function Deposit({ of }: { of: Terms }) {
  const [treasury] = useRead(() => api.get("/wallet-address"));
  return (
    <>
      <FromWallet of={of} />
      {treasury !== null && <><Address of={of} treasury={treasury.address} /><Claim of={of} /></>}
    </>
  );
}

function FromWallet({ of }: { of: Terms }) {
  const [text, setText] = useState("");
  const [busy, run] = useBusy();
  const [chain, readChain] = useRead(() => api.get("/account/chain-balance", { query: { token: of.token } }));
  const held = chain?.balance == null ? undefined : BigInt(chain.balance);
  const left = of.program === "system" ? LEFT_LAMPORTS : 0n;
  const most = held === undefined || held <= left ? 0n : held - left;
  const bounds = { min: of.minDeposit, available: held };
  const send = async () => {
    const sum = allowed(text, of.decimals, bounds);
    const account = session.value?.account;
    if (sum === null || account === undefined) return;
    const built = await api.post("/deposit/transaction", { body: { token: of.token, amount: sum } });
    const signature = await account.send(built.transaction);
    setText(""); // it is paid: pressing again must not pay again
    say(t("deposit.sent"));
    await register(signature, of.token);
    readChain();
  };
  return (
    <form class="panel" id="deposit" onSubmit={(e) => { e.preventDefault(); void run(send); }}>
      <h2>{t("deposit.wallet")}</h2>
      <p class="muted" id="chain-balance" data-balance={held === undefined ? "" : String(held)}>
        {chain === null ? t("loading") : held === undefined ? t("chain.unknown") : t("chain.balance", { amount: amount(held, of.token) })}
      </p>
      <AmountInput label={t("amount")} symbol={of.symbol} decimals={of.decimals} value={text} onInput={setText} required {...bounds}>
        <button type="button" disabled={most === 0n} title={left > 0n ? t("deposit.left", { amount: amount(left, of.token) }) : undefined}
          onClick={() => setText(entry(most, of.decimals, language.value))}>{t("max")}</button>
      </AmountInput>
      <button type="submit" class="primary big" disabled={busy}>{busy ? t("deposit.waiting") : t("deposit")}</button>
    </form>
  );
}

function Address({ of, treasury }: { of: Terms; treasury: string }) {
  return (
    <section class="panel" id="address">
      <h2>{t("deposit.address")}</h2>
      <p><strong>{t("deposit.own")}</strong> {t("deposit.arrives", { symbol: of.symbol, amount: amount(of.minDeposit, of.token) })}</p>
      <Qr text={treasury} label={t("deposit.qr")} />
      <Copied text={treasury} label={t("deposit.address")} />
      <p class="muted">{t("deposit.exchange")}</p>
    </section>
  );
}

function Claim({ of }: { of: Terms }) {
  const [signature, setSignature] = useState("");
  const [busy, run] = useBusy();
  const claim = async () => {
    say(t(await register(signature.trim(), of.token) ? "claim.credited" : "claim.waits"), "good");
    setSignature("");
  };
  return (
    <details class="panel filters" id="claim">
      <summary>{t("claim.title")}</summary>
      <p class="muted">{t("claim.explain")}</p>
      <form onSubmit={(e) => { e.preventDefault(); void run(claim); }}>
        <Input label={t("claim.signature")} spellcheck={false} required pattern="\s*[1-9A-HJ-NP-Za-km-z]{64,88}\s*" title={t("claim.form")}
          value={signature} onInput={(e) => setSignature(e.currentTarget.value)} />
        <button type="submit" class="big" disabled={busy}>{busy ? t("deposit.waiting") : t("claim.go")}</button>
      </form>
    </details>
  );
}
