// An agent's prepaid accounts: payments in and back, and the credit limit.

import { useState } from "preact/hooks";
import { api, type Schemas } from "../shared/api";
import { Select } from "../shared/fields";
import { ask } from "./confirm";
import { bound, may } from "./me";
import { amount, symbol } from "./store";
import { Table } from "./table";
import { t } from "./text";
import { useAmount } from "./token";

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
  const acts: Act[] = [...(may("balances:write") ? ["in", "back"] as const : []), ...(may("roles:write") ? ["limit"] as const : [])];
  const [act, setAct] = useState<Act>(acts[0] ?? "in");
  const { token, fields, take } = useAmount(act === "limit");
  const path = { id: agent.id };
  const go = () => {
    const by = take();
    if (by === null) return;
    const about = {
      title: t(`funds.${act}`), act: t("funds.book"), danger: act === "back",
      children: <p>{t(`funds.${act}.happens`, { amount: amount(by, token), code: agent.agentCode })}</p>,
    };
    if (act === "limit") return ask({ ...about, run: () => api.put("/admin/legacy/agents/{id}/credit-limit", { path, body: { token, creditLimit: by } }), done: t("funds.limited") });
    ask({
      ...about, text: "reason",
      run: (reason) => api.post("/admin/legacy/agents/{id}/funds", { path, once: true, body: { token, amount: act === "in" ? by : -by, reason } }),
      done: (done) => ("approval" in done ? t("second.asked") : t("funds.booked", { balance: amount(done.balance, token) })),
    });
  };
  return (
    <form class="panel row" id="funds" onSubmit={(e) => { e.preventDefault(); go(); }}>
      <Select label={t("column.acts")} value={act} options={acts.map((each) => [each, t(`funds.${each}`)])} onChange={setAct} />
      {fields}
      <div class="field"><button type="submit">{t("funds.book")}</button></div>
    </form>
  );
}
