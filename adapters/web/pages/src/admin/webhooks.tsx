// An agent's webhooks: endpoints, their secrets, which are shown only once, and dead letters.

import { useState } from "preact/hooks";
import { api, type Schemas } from "../shared/api";
import { Input } from "../shared/fields";
import { maybe } from "../shared/i18n";
import { ask } from "./confirm";
import { Status, When } from "./parts";
import { useRead } from "./read";
import { secrets } from "./secrets";
import { Table } from "./table";
import { t } from "./text";

type Agent = Schemas["Agent"];
type Webhook = Schemas["Webhook"];
type Letter = Schemas["DeadLetter"];

export function Webhooks({ agent }: { agent: Agent }) {
  const [found, failure] = useRead(() => api.get("/admin/legacy/agents/{id}/webhooks", { path: { id: agent.id } }), agent.id);
  const [opened, setOpened] = useState<string | null>(null);
  const path = (hook: Webhook) => ({ id: agent.id, webhookId: hook.id });
  const rotate = (hook: Webhook) => ask({
    title: t("webhook.rotate"), act: t("webhook.rotate.act"), children: <><p>{t("webhook.rotate.happens")}</p><p><code>{hook.url}</code></p></>,
    run: () => api.post("/admin/legacy/agents/{id}/webhooks/{webhookId}/secret", { path: path(hook) }),
    done: ({ secret }) => {
      secrets.value = { title: t("webhook.secret"), of: { [hook.url]: secret } };
      return t("webhook.rotated");
    },
  });
  const turn = (hook: Webhook) => {
    const on = hook.state === "disabled";
    ask({
      title: t(on ? "webhook.on" : "webhook.off"), act: t(on ? "games.on.act" : "games.off.act"), danger: !on,
      children: <><p>{t(on ? "webhook.on.happens" : "webhook.off.happens")}</p><p><code>{hook.url}</code></p></>,
      run: () => api.patch("/admin/legacy/agents/{id}/webhooks/{webhookId}", { path: path(hook), body: { state: on ? "active" : "disabled" } }),
      done: t("webhook.changed"),
    });
  };
  const remove = (hook: Webhook) => ask({
    title: t("webhook.delete"), act: t("remove"), danger: true, children: <><p>{t("webhook.delete.happens")}</p><p><code>{hook.url}</code></p></>,
    run: () => api.delete("/admin/legacy/agents/{id}/webhooks/{webhookId}", { path: path(hook) }),
    done: t("webhook.deleted"),
  });
  const open = found?.webhooks.find((hook) => hook.id === opened);
  return (
    <section id="webhooks">
      <h2>{t("webhook.title")}</h2>
      <Create agent={agent} />
      <Table title={t("webhook.title")} rows={found?.webhooks ?? null} id={(hook) => hook.id} empty={t("webhook.none")} failure={failure} columns={[
        { head: t("webhook.url"), cell: (hook) => <code>{hook.url}</code> },
        { head: t("column.status"), cell: (hook) => <><Status of={hook.state} /> {hook.reason !== null && (maybe(`webhook.reason.${hook.reason}`) ?? hook.reason)}</> },
        { head: t("webhook.types"), cell: (hook) => <span class="long">{hook.types.length === 0 ? t("filter.all") : hook.types.join(", ")}</span> },
        { head: t("webhook.failing"), cell: (hook) => (hook.failingSince === null ? "" : <When at={hook.failingSince} />) },
        {
          head: t("column.acts"), cell: (hook) => (
            <span class="row acts">
              <button type="button" class="letters" onClick={() => setOpened(opened === hook.id ? null : hook.id)} aria-expanded={opened === hook.id}>{t("letters.title")}</button>
              <button type="button" class="rotate" onClick={() => rotate(hook)}>{t("webhook.rotate.act")}</button>
              <button type="button" onClick={() => turn(hook)}>{t(hook.state === "disabled" ? "games.on.act" : "games.off.act")}</button>
              <button type="button" onClick={() => remove(hook)}>{t("remove")}</button>
            </span>
          ),
        },
      ]} />
      {open !== undefined && <Letters agent={agent} hook={open} key={open.id} />}
    </section>
  );
}

function Create({ agent }: { agent: Agent }) {
  const [url, setUrl] = useState("");
  const [types, setTypes] = useState("");
  const create = () => ask({
    title: t("webhook.create"), act: t("webhook.create.act"),
    children: <><p>{t("webhook.create.happens", { code: agent.agentCode })}</p><p><code>{url}</code></p></>,
    run: async () => {
      const chosen = types.split(/[\s,]+/).filter(Boolean);
      const made = await api.post("/admin/legacy/agents/{id}/webhooks", { path: { id: agent.id }, body: { url, ...(chosen.length > 0 && { types: chosen }) } });
      setUrl("");
      secrets.value = { title: t("webhook.secret"), of: { [made.webhook.url]: made.secret } };
    },
    done: t("webhook.created"),
  });
  return (
    <form class="panel row" id="webhook" onSubmit={(e) => { e.preventDefault(); create(); }}>
      <Input label={t("webhook.url")} class="url" type="url" required placeholder="https://" value={url} onInput={(e) => setUrl(e.currentTarget.value)} />
      <Input label={t("webhook.types.which")} spellcheck={false} placeholder="round.settled, balance.changed" value={types} onInput={(e) => setTypes(e.currentTarget.value)} />
      <div class="field"><button type="submit" class="primary">{t("webhook.create.act")}</button></div>
    </form>
  );
}

const SHOWN = 100;

function Letters({ agent, hook }: { agent: Agent; hook: Webhook }) {
  const path = { id: agent.id, webhookId: hook.id };
  const [found, failure] = useRead(() => api.get("/admin/legacy/agents/{id}/webhooks/{webhookId}/dead-letters", { path, query: { limit: SHOWN } }), hook.id);
  const again = (letter: Letter) => ask({
    title: t("letters.again"), act: t("letters.again.act"), children: <p>{t("letters.again.happens", { type: letter.type })}</p>,
    run: () => api.post("/admin/legacy/agents/{id}/webhooks/{webhookId}/dead-letters/{deadLetterId}/send", { path: { ...path, deadLetterId: letter.id } }),
    done: t("letters.due"),
  });
  return (
    <>
      <h3>{t("letters.of", { url: hook.url })}</h3>
      <Table title={t("letters.title")} rows={found?.deadLetters ?? null} id={(letter) => letter.id} empty={t("letters.none")} failure={failure} columns={[
        { head: t("column.when"), cell: (letter) => <When at={letter.eventAt} /> },
        { head: t("column.kind"), cell: (letter) => <code>{letter.type}</code> },
        { head: t("letters.tries"), number: true, cell: (letter) => letter.tries },
        { head: t("letters.answer"), cell: (letter) => letter.status ?? letter.failure ?? "" },
        { head: t("letters.tried"), cell: (letter) => <When at={letter.triedAt} /> },
        { head: t("column.acts"), cell: (letter) => (letter.due ? t("letters.waits") : <button type="button" class="again" disabled={letter.event === null || hook.state === "disabled"} onClick={() => again(letter)}>{t("letters.again.act")}</button>) },
      ]} />
    </>
  );
}
