// An agent's prepaid accounts: payments in and back, and the credit limit.

import { useId, useState } from "preact/hooks";
import { api, type Schemas } from "../shared/api";
import { language } from "../shared/i18n";
import { typed, written } from "../shared/money";
import { say } from "../shared/notices";
import { ask } from "./confirm";
import { bound, may } from "./me";
import { amount, symbol, terms } from "./store";
import { Table } from "./table";
import { t } from "./text";
import { Token, useToken } from "./token";
import { TokenAmount } from "./token-amount";

type Agent = Schemas["Agent"];

export function AgentFunds({ agent }: { agent: Agent }) {
  return (
    <>
      <h2>{t("agent.funds")}</h2>
      <Table title={t("agent.funds")} rows={agent.funds} id={(each) => each.token} empty={t("funds.none")} columns={[
        { head: t("token"), cell: (each) => symbol(each.token) },
        { head: t("funds.balance"), number: true, cell: (each) => amount(each.balance, each.token) },
        { head: t("funds.reserved"), number: true, cell: (each) => amount(each.reserved, each.token) },
        { head: t("funds.limit"), number: true, cell: (each) => amount(each.creditLimit, each.token) },
      ]} />
      {(may("balances:write") || may("roles:write")) && !bound() && <Book agent={agent} />}
    </>
  );
}

type Act = "in" | "back" | "limit";

function Book({ agent }: { agent: Agent }) {
  const ids = [useId(), useId()] as const;
  const acts: Act[] = [...(may("balances:write") ? ["in", "back"] as const : []), ...(may("roles:write") ? ["limit"] as const : [])];
  const [act, setAct] = useState<Act>(acts[0] ?? "in");
  const [token, setToken] = useToken();
  const [text, setText] = useState("");
  const path = { id: agent.id };
  const limit = async (most: bigint) => {
    await api.put("/admin/legacy/agents/{id}/credit-limit", { path, body: { token, creditLimit: most } });
    return t("funds.limited");
  };
  const book = async (by: bigint, reason: string) => {
    const done = await api.post("/admin/legacy/agents/{id}/funds", { path, once: true, body: { token, amount: act === "in" ? by : -by, reason } });
    return "approval" in done ? t("second.asked") : t("funds.booked", { balance: written(done.balance, terms(token)?.decimals ?? 0, language.value), token: symbol(token) });
  };
  const go = () => {
    const by = typed(text, terms(token)?.decimals ?? 0, language.value);
    if (by === null || (act !== "limit" && by === 0n)) return say(t("amount.wrong"), "bad");
    ask({
      title: t(`funds.${act}`), act: t("funds.book"), danger: act === "back", ...(act !== "limit" && { text: "reason" as const }),
      children: <p>{t(`funds.${act}.happens`, { amount: amount(by, token), code: agent.agentCode })}</p>,
      run: (reason) => (act === "limit" ? limit(by) : book(by, reason)),
    });
  };
  return (
    <form class="panel row" id="funds" onSubmit={(e) => { e.preventDefault(); go(); }}>
      <div class="field"><label for={ids[0]}>{t("column.acts")}</label><select id={ids[0]} value={act} onChange={(e) => setAct(e.currentTarget.value as Act)}>{acts.map((each) => <option key={each} value={each}>{t(`funds.${each}`)}</option>)}</select></div>
      <Token id={ids[1]} value={token} onChange={setToken} />
      <TokenAmount token={token} value={text} onInput={setText} zero={act === "limit"} />
      <div class="field"><button type="submit">{t("funds.book")}</button></div>
    </form>
  );
}
