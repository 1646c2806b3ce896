// Unclaimed money: what arrived from wallets that never signed in, to be assigned to players.

import { useId, useRef, useState } from "preact/hooks";
import { api } from "../../shared/api";
import { language } from "../../shared/i18n";
import { entry, typed, written } from "../../shared/money";
import { say } from "../../shared/notices";
import { ask } from "../confirm";
import { List, type Query } from "../list";
import { bound, may } from "../me";
import { amount, symbol, terms, tokens } from "../store";
import { t } from "../text";
import { Token, useToken } from "../token";
import { TokenAmount } from "../token-amount";

const TEXT_MAX = 500;

async function read(query: Query) {
  const found = await api.get("/admin/unclaimed", { query });
  return { ...found, rows: found.unclaimed };
}

export default function Unclaimed() {
  const ids = [useId(), useId(), useId(), useId()] as const;
  const [wallet, setWallet] = useState("");
  const [to, setTo] = useState("");
  const [token, setToken] = useToken();
  const [text, setText] = useState("");
  const [evidence, setEvidence] = useState("");
  const player = useRef<HTMLInputElement>(null);
  const writes = may("balances:write") && !bound();
  const assign = () => {
    const sum = typed(text, terms(token)?.decimals ?? 0, language.value);
    if (sum === null || sum === 0n) return say(t("amount.wrong"), "bad");
    ask({
      title: t("unclaimed.assign"), act: t("unclaimed.assign.act"), text: "reason",
      children: <><p>{t("unclaimed.assign.happens", { amount: amount(sum, token) })}</p><p><code>{wallet}</code> → <code>{to}</code></p><p>{t("unclaimed.evidence")}: {evidence}</p></>,
      run: async (reason) => {
        const done = await api.post("/admin/unclaimed/assign", { body: { wallet, to, token, amount: sum, reason, evidence } });
        setText("");
        return "approval" in done ? t("second.asked") : t("unclaimed.assigned", { balance: written(done.balance, terms(token)?.decimals ?? 0, language.value), token: symbol(token) });
      },
    });
  };
  return (
    <>
      <h1>{t("nav.unclaimed")}</h1>
      <p class="muted">{t("unclaimed.explain")}</p>
      {writes && (
        <form class="panel row" id="assign" onSubmit={(e) => { e.preventDefault(); assign(); }}>
          <div class="field"><label for={ids[0]}>{t("unclaimed.from")}</label><input id={ids[0]} class="from" required autoComplete="off" spellcheck={false} value={wallet} onInput={(e) => setWallet(e.currentTarget.value.trim())} /></div>
          <div class="field"><label for={ids[1]}>{t("unclaimed.to")}</label><input id={ids[1]} ref={player} class="to" required autoComplete="off" spellcheck={false} value={to} onInput={(e) => setTo(e.currentTarget.value.trim())} /></div>
          <Token id={ids[2]} value={token} onChange={setToken} />
          <TokenAmount token={token} value={text} onInput={setText} />
          <div class="field"><label for={ids[3]}>{t("unclaimed.evidence")}</label><input id={ids[3]} class="evidence" required maxLength={TEXT_MAX} autoComplete="off" value={evidence} onInput={(e) => setEvidence(e.currentTarget.value)} /></div>
          <div class="field"><button type="submit">{t("unclaimed.assign.act")}</button></div>
        </form>
      )}
      <List view="unclaimed" title={t("nav.unclaimed")} id={(each) => `${each.wallet} ${each.token}`} empty={t("unclaimed.none")} read={read} sheet={(query) => api.sheet("/admin/unclaimed", { query })}
        filters={[{ name: "wallet", label: t("column.wallet") }, { name: "token", label: t("token"), options: tokens.value.map((each) => [each.token, each.symbol]) }]}
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
