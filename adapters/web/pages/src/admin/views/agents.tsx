// The agents, and a new one with its credentials, which are shown once.

import { useId, useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { to } from "../../shared/route";
import { ask } from "../confirm";
import { may } from "../me";
import { Status, When } from "../parts";
import { useRead } from "../read";
import { Secrets } from "../secrets";
import { Share } from "../share";
import { Sheet } from "../sheet";
import { amount } from "../store";
import { Table, type Column } from "../table";
import { t } from "../text";

type Agent = Schemas["Agent"];

function columns(): Column<Agent>[] {
  return [
    { head: t("column.agent"), cell: (each) => <a href={to("agents", each.id)}>{each.agentCode}</a> },
    { head: t("agent.name"), cell: (each) => each.agentName },
    { head: t("column.status"), cell: (each) => <Status of={each.status} /> },
    { head: t("agent.percent"), number: true, cell: (each) => `${each.percent} %` },
    { head: t("agent.funds"), number: true, cell: (each) => each.funds.map((of) => amount(of.balance, of.token)).join(", ") },
    { head: t("column.since"), cell: (each) => <When at={each.createdAt} /> },
  ];
}

export default function Agents() {
  const [found, failure] = useRead(() => api.get("/admin/legacy/agents"));
  return (
    <>
      <h1>{t("nav.agents")}</h1>
      {may("admin:write") && <Create />}
      <Table title={t("nav.agents")} columns={columns()} rows={found?.agents ?? null} id={(each) => each.id} empty={t("agents.none")} failure={failure} />
      <p class="row"><Sheet name="agents" read={() => api.sheet("/admin/legacy/agents")} /></p>
      <Share />
    </>
  );
}

function Create() {
  const ids = [useId(), useId()] as const;
  const [agentCode, setCode] = useState("");
  const [agentName, setName] = useState("");
  const [made, setMade] = useState<Schemas["AgentCredentials"] | null>(null);
  const create = () => ask({
    title: t("agent.create"), act: t("agent.create.act"), children: <p>{t("agent.create.happens", { code: agentCode, name: agentName })}</p>,
    run: async () => {
      setMade(await api.post("/admin/legacy/agents", { body: { agentCode, agentName } }));
      setCode("");
      setName("");
      return t("agent.created");
    },
  });
  return (
    <>
      <form class="panel row" id="create" onSubmit={(e) => { e.preventDefault(); create(); }}>
        <div class="field"><label for={ids[0]}>{t("agent.code")}</label><input id={ids[0]} class="code" required maxLength={64} autoComplete="off" value={agentCode} onInput={(e) => setCode(e.currentTarget.value.trim())} /></div>
        <div class="field"><label for={ids[1]}>{t("agent.name")}</label><input id={ids[1]} class="name" required maxLength={80} autoComplete="off" value={agentName} onInput={(e) => setName(e.currentTarget.value)} /></div>
        <div class="field"><button type="submit" class="primary">{t("agent.create.act")}</button></div>
      </form>
      {made !== null && <Secrets title={t("agent.credentials", { code: made.agent.agentCode })} of={{ [t("agent.token")]: made.token, [t("agent.secret")]: made.secret }} onClose={() => setMade(null)} />}
    </>
  );
}
