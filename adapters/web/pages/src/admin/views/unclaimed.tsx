// Unclaimed money: what arrived from wallets that never signed in, to be assigned to players.

import { useRef, useState } from "preact/hooks";
import { api } from "../../shared/api";
import { Input } from "../../shared/fields";
import { language } from "../../shared/i18n";
import { entry } from "../../shared/money";
import { ask } from "../confirm";
import { List } from "../list";
import { bound, may } from "../me";
import { amount, terms } from "../store";
import { t } from "../text";
import { tokenOptions, useAmount } from "../token";

const TEXT_MAX = 500;

export default function Unclaimed() {
  const [wallet, setWallet] = useState("");
  const [to, setTo] = useState("");
  const { token, fields, setToken, setText, take } = useAmount();
  const [evidence, setEvidence] = useState("");
  const player = useRef<HTMLInputElement>(null);
  const writes = may("balances:write") && !bound();
  const assign = () => {
    const sum = take();
    if (sum === null) return;
    ask({
      title: t("unclaimed.assign"), act: t("unclaimed.assign.act"), text: "reason",
      children: <><p>{t("unclaimed.assign.happens", { amount: amount(sum, token) })}</p><p><code>{wallet}</code> → <code>{to}</code></p><p>{t("unclaimed.evidence")}: {evidence}</p></>,
      run: (reason) => api.post("/admin/unclaimed/assign", { body: { wallet, to, token, amount: sum, reason, evidence } }),
      done: (done) => {
        setText("");
        return "approval" in done ? t("second.asked") : t("unclaimed.assigned", { balance: amount(done.balance, token) });
      },
    });
  };
  return (
    <>
      <h1>{t("nav.unclaimed")}</h1>
      <p class="muted">{t("unclaimed.explain")}</p>
      {writes && (
        <form class="panel row" id="assign" onSubmit={(e) => { e.preventDefault(); assign(); }}>
          <Input label={t("unclaimed.from")} class="from" required spellcheck={false} value={wallet} onInput={(e) => setWallet(e.currentTarget.value.trim())} />
          <Input label={t("unclaimed.to")} ref={player} class="to" required spellcheck={false} value={to} onInput={(e) => setTo(e.currentTarget.value.trim())} />
          {fields}
          <Input label={t("unclaimed.evidence")} class="evidence" required maxLength={TEXT_MAX} value={evidence} onInput={(e) => setEvidence(e.currentTarget.value)} />
          <div class="field"><button type="submit">{t("unclaimed.assign.act")}</button></div>
        </form>
      )}
      <List view="unclaimed" path="/admin/unclaimed" rows={(found) => found.unclaimed} title={t("nav.unclaimed")} id={(each) => `${each.wallet} ${each.token}`} empty={t("unclaimed.none")}
        filters={[{ name: "wallet", label: t("column.wallet") }, { name: "token", label: t("token"), options: tokenOptions() }]}
        columns={[
          { head: t("column.wallet"), cell: (each) => <code>{each.wallet}</code> },
          { head: t("amount"), number: true, cell: (each) => amount(each.amount, each.token) },
          {
            head: t("column.acts"), cell: (each) => (writes ? (
              <button type="button" class="choose" onClick={() => {
                setWallet(each.wallet);
                setToken(each.token);
                setText(entry(each.amount, terms(each.token)?.decimals ?? 0, language.value));
                player.current?.focus();
              }}>{t("unclaimed.choose")}</button>
            ) : ""),
          },
        ]} />
    </>
  );
}
