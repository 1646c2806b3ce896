// One agent: its data, its money and credentials, and its webhooks.

import { useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { Input } from "../../shared/fields";
import { to } from "../../shared/route";
import { AgentFunds } from "../agent-funds";
import { ask } from "../confirm";
import { may } from "../me";
import { Fact, Facts, Loading, Status, When } from "../parts";
import { useRead } from "../read";
import { showCredentials } from "../secrets";
import { Share } from "../share";
import { t } from "../text";
import { Webhooks } from "../webhooks";

type Agent = Schemas["Agent"];

export default function AgentView({ id }: { id: string }) {
  const [found, failure] = useRead(() => api.get("/admin/legacy/agents"), id);
  if (found === null) return <Loading failure={failure} />;
  const agent = found.agents.find((each) => each.id === id);
  if (agent === undefined) return <div class="panel missing"><h1>{t("missing.title")}</h1><a class="button" href={to("agents")}>{t("nav.agents")}</a></div>;
  return (
    <>
      <p><a href={to("agents")}>← {t("nav.agents")}</a></p>
      <h1>{agent.agentName} <Status of={agent.status} /></h1>
      <div class="panel" id="agent">
        <Facts>
          <Fact name={t("agent.code")}>{agent.agentCode}</Fact>
          <Fact name={t("agent.percent")}>{`${agent.percent} %`}</Fact>
          <Fact name={t("agent.rtp")}>{`${agent.rtp} %`}</Fact>
          <Fact name={t("route.site")}>{agent.siteEndpoint ?? t("agent.here")}</Fact>
          <Fact name={t("agent.addresses")}>{agent.ipAllowlist.length === 0 ? t("agent.anywhere") : agent.ipAllowlist.join(", ")}</Fact>
          <Fact name={t("column.since")}><When at={agent.createdAt} /></Fact>
          {agent.memo !== null && <Fact name={t("agent.memo")}>{agent.memo}</Fact>}
        </Facts>
        <Acts agent={agent} />
      </div>
      {may("admin:write") && <Change agent={agent} key={String(agent.updatedAt)} />}
      <AgentFunds agent={agent} />
      {may("roles:write") && <Webhooks agent={agent} />}
      <Share agentCode={agent.agentCode} />
    </>
  );
}

function Acts({ agent }: { agent: Agent }) {
  const path = { id: agent.id };
  const blocked = agent.status === "blocked";
  const block = () => ask({
    title: t(blocked ? "agent.unblock" : "agent.block"), act: t(blocked ? "agent.unblock.act" : "agent.block.act"), danger: !blocked,
    children: <p>{t(blocked ? "agent.unblock.happens" : "agent.block.happens", { code: agent.agentCode })}</p>,
    run: () => api.patch("/admin/legacy/agents/{id}", { path, body: { status: blocked ? "active" : "blocked" } }),
    done: t("agent.changed"),
  });
  const rotate = () => ask({
    title: t("agent.rotate"), act: t("agent.rotate.act"), danger: true, children: <p>{t("agent.rotate.happens", { code: agent.agentCode })}</p>,
    run: async () => showCredentials(await api.post("/admin/legacy/agents/{id}/credentials", { path })),
    done: t("agent.rotated"),
  });
  const remove = () => ask({
    title: t("agent.delete"), act: t("remove"), danger: true, children: <p>{t("agent.delete.happens", { code: agent.agentCode })}</p>,
    run: () => api.delete("/admin/legacy/agents/{id}", { path }).then(() => (location.hash = to("agents"))),
    done: t("agent.deleted"),
  });
  return (
    <div class="row decision">
      {may("admin:write") && <button type="button" class={blocked ? "" : "danger"} onClick={block}>{t(blocked ? "agent.unblock.act" : "agent.block.act")}</button>}
      {may("roles:write") && <button type="button" onClick={rotate}>{t("agent.rotate.act")}</button>}
      {may("admin:write") && <button type="button" onClick={remove}>{t("remove")}</button>}
    </div>
  );
}

function Change({ agent }: { agent: Agent }) {
  const [agentName, setName] = useState(agent.agentName);
  const [percent, setPercent] = useState(String(agent.percent));
  const [memo, setMemo] = useState(agent.memo ?? "");
  const [site, setSite] = useState(agent.siteEndpoint ?? "");
  const [addresses, setAddresses] = useState(agent.ipAllowlist.join(" "));
  const change = {
    ...(agentName !== agent.agentName && { agentName }),
    ...(percent !== String(agent.percent) && { percent: Number(percent) }),
    ...(memo !== (agent.memo ?? "") && { memo: memo === "" ? null : memo }),
    ...(site !== (agent.siteEndpoint ?? "") && { siteEndpoint: site === "" ? null : site }),
    ...(addresses !== agent.ipAllowlist.join(" ") && { ipAllowlist: addresses.split(/[\s,]+/).filter(Boolean) }),
  };
  const save = () => ask({
    title: t("agent.change"), act: t("save"),
    children: <><p>{t("agent.change.happens", { code: agent.agentCode })}</p><p>{Object.entries(change).map(([name, value]) => <span key={name}>{name}: <code>{String(value ?? "–")}</code><br /></span>)}</p></>,
    run: () => api.patch("/admin/legacy/agents/{id}", { path: { id: agent.id }, body: change }),
    done: t("agent.changed"),
  });
  return (
    <details class="panel">
      <summary>{t("agent.change")}</summary>
      <form onSubmit={(e) => { e.preventDefault(); save(); }}>
        <div class="row">
          <Input label={t("agent.name")} required maxLength={80} value={agentName} onInput={(e) => setName(e.currentTarget.value)} />
          <Input label={t("agent.percent")} type="number" min={0} max={100} step={0.01} required value={percent} onInput={(e) => setPercent(e.currentTarget.value)} />
          <Input label={t("agent.memo")} maxLength={500} value={memo} onInput={(e) => setMemo(e.currentTarget.value)} />
          {may("roles:write") && <Input label={t("route.site")} type="url" value={site} onInput={(e) => setSite(e.currentTarget.value)} />}
          {may("roles:write") && <Input label={t("agent.addresses")} value={addresses} onInput={(e) => setAddresses(e.currentTarget.value)} />}
          <div class="field"><button type="submit" class="primary" disabled={Object.keys(change).length === 0}>{t("save")}</button></div>
        </div>
      </form>
    </details>
  );
}
