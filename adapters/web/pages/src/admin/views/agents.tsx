// The agents, and a new one with its credentials, which are shown once.

import { useState } from "preact/hooks";
import { api } from "../../shared/api";
import { Input } from "../../shared/fields";
import { to } from "../../shared/route";
import { ask } from "../confirm";
import { may } from "../me";
import { Status, When } from "../parts";
import { useRead } from "../read";
import { showCredentials } from "../secrets";
import { Share } from "../share";
import { Sheet } from "../sheet";
import { amount } from "../store";
import { Table } from "../table";
import { t } from "../text";

export default function Agents() {
  const [found, failure] = useRead(() => api.get("/admin/legacy/agents"));
  return (
    <>
      <h1>{t("nav.agents")}</h1>
      {may("admin:write") && <Create />}
      <Table title={t("nav.agents")} rows={found?.agents ?? null} id={(each) => each.id} empty={t("agents.none")} failure={failure} columns={[
        { head: t("column.agent"), cell: (each) => <a href={to("agents", each.id)}>{each.agentCode}</a> },
        { head: t("agent.name"), cell: (each) => each.agentName },
        { head: t("column.status"), cell: (each) => <Status of={each.status} /> },
        { head: t("agent.percent"), number: true, cell: (each) => `${each.percent} %` },
        { head: t("agent.funds"), number: true, cell: (each) => each.funds.map((of) => amount(of.balance, of.token)).join(", ") },
        { head: t("column.since"), cell: (each) => <When at={each.createdAt} /> },
      ]} />
      <p class="row"><Sheet name="agents" read={() => api.sheet("/admin/legacy/agents")} /></p>
      <Share />
    </>
  );
}

function Create() {
  const [agentCode, setCode] = useState("");
  const [agentName, setName] = useState("");
  const create = () => ask({
    title: t("agent.create"), act: t("agent.create.act"), children: <p>{t("agent.create.happens", { code: agentCode, name: agentName })}</p>,
    run: async () => {
      showCredentials(await api.post("/admin/legacy/agents", { body: { agentCode, agentName } }));
      setCode("");
      setName("");
    },
    done: t("agent.created"),
  });
  return (
    <form class="panel row" id="create" onSubmit={(e) => { e.preventDefault(); create(); }}>
      <Input label={t("agent.code")} class="code" required maxLength={64} value={agentCode} onInput={(e) => setCode(e.currentTarget.value.trim())} />
      <Input label={t("agent.name")} class="name" required maxLength={80} value={agentName} onInput={(e) => setName(e.currentTarget.value)} />
      <div class="field"><button type="submit" class="primary">{t("agent.create.act")}</button></div>
    </form>
  );
}
