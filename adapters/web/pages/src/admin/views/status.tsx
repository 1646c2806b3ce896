// Whether everything runs, and the switches that stop play and payouts.

import { useEffect, useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { Input } from "../../shared/fields";
import { maybe } from "../../shared/i18n";
import { refresh } from "../../shared/happened";
import { ask } from "../confirm";
import { bound, may } from "../me";
import { Address, Fact, Facts, Status, When } from "../parts";
import { useRead } from "../read";
import { Table } from "../table";
import { t } from "../text";

type Pause = Schemas["PlayPause"];

const AGAIN_MS = 15_000;

export default function Operations() {
  useEffect(() => {
    const timer = setInterval(refresh, AGAIN_MS); // no event reports a part that is down
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <h1>{t("nav.status")}</h1>
      <Health />
      {!bound() && <Payouts />}
      <Play />
    </>
  );
}

function Health() {
  const [health, failure] = useRead(() => api.get("/health"));
  return (
    <>
      <h2>{t("status.service")} {health !== null && <Status of={health.status} />} {health !== null && <span class="tag">{health.version}</span>}</h2>
      <Table title={t("status.service")} rows={health === null ? null : Object.entries(health.checks)} id={([name]) => name} empty="" failure={failure} columns={[
        { head: t("status.part"), cell: ([name]) => maybe(`part.${name}`) ?? name },
        { head: t("column.status"), cell: ([, check]) => <Status of={check.status === "disabled" ? "absent" : check.status} /> },
        { head: t("status.latency"), number: true, cell: ([, check]) => `${check.latencyMs} ms` },
        { head: t("status.detail"), cell: ([, check]) => <span class="long">{check.detail ?? ""}</span> },
      ]} />
    </>
  );
}

function Payouts() {
  const [found] = useRead(() => api.get("/admin/payouts"));
  if (found === null) return null;
  const { paused, by, reason, updatedAt } = found.payouts;
  const pause = () => ask({
    title: t("payouts.pause"), act: t("payouts.pause.act"), danger: true, text: "reason", children: <p>{t("payouts.pause.happens")}</p>,
    run: (why) => api.post("/admin/payouts/pause", { body: { reason: why } }),
    done: t("payouts.paused"),
  });
  const resume = () => ask({
    title: t("payouts.resume"), act: t("payouts.resume.act"), text: "reason", children: <p>{t("payouts.resume.happens")}</p>,
    run: (why) => api.post("/admin/payouts/resume", { body: { reason: why } }),
    done: t("second.asked"),
  });
  return (
    <section class="panel" id="payouts" data-paused={paused}>
      <h2>{t("payouts.title")} <Status of={paused ? "paused" : "running"} /></h2>
      {updatedAt !== null && (
        <Facts>
          <Fact name={t("column.since")}><When at={updatedAt} /></Fact>
          <Fact name={t("column.by")}>{by === null ? t("audit.service") : <Address of={by} />}</Fact>
          <Fact name={t("column.reason")}>{reason}</Fact>
        </Facts>
      )}
      <div class="row decision">
        {may("withdraw:reject") && <button type="button" class="danger pause" onClick={pause}>{t("payouts.pause.act")}</button>}
        {paused && may("withdraw:approve") && <button type="button" class="resume" onClick={resume}>{t("payouts.resume.act")}</button>}
      </div>
    </section>
  );
}

/** The scope of a pause, in words. */
function scope(gameType: string | null, agentCode: string | null): string {
  if (gameType !== null && agentCode !== null) return t("play.both", { game: gameType, agent: agentCode });
  if (gameType !== null) return t("play.game", { game: gameType });
  return agentCode !== null ? t("play.agent", { agent: agentCode }) : t("play.all");
}

function of(gameType: string | null, agentCode: string | null) {
  return { ...(gameType !== null && { gameType }), ...(agentCode !== null && { agentCode }) };
}

function resumePlay(pause: Pause): void {
  ask({
    title: t("play.resume"), act: t("play.resume.act"), text: "reason", children: <p>{t("play.resume.happens", { what: scope(pause.gameType, pause.agentCode) })}</p>,
    run: (reason) => api.post("/admin/play/resume", { body: { ...of(pause.gameType, pause.agentCode), reason } }),
    done: t("play.resumed"),
  });
}

function Play() {
  const [found, failure] = useRead(() => api.get("/admin/play"));
  return (
    <section id="play">
      <h2>{t("play.title")}</h2>
      {may("admin:write") && <PausePlay />}
      <Table title={t("play.title")} rows={found?.pauses ?? null} id={(each) => `${each.gameType ?? ""} ${each.agentCode ?? ""}`} empty={t("play.none")} failure={failure} columns={[
        { head: t("play.what"), cell: (each) => scope(each.gameType, each.agentCode) },
        { head: t("column.reason"), cell: (each) => <span class="long">{each.reason}</span> },
        { head: t("column.by"), cell: (each) => (each.by === null ? t("audit.service") : <Address of={each.by} />) },
        { head: t("column.since"), cell: (each) => <When at={each.pausedAt} /> },
        { head: t("column.acts"), cell: (each) => (may("admin:write") ? <button type="button" class="resume" onClick={() => resumePlay(each)}>{t("play.resume.act")}</button> : "") },
      ]} />
    </section>
  );
}

function PausePlay() {
  const [game, setGame] = useState("");
  const [agent, setAgent] = useState("");
  const [gameType, agentCode] = [game === "" ? null : game, agent === "" ? null : agent];
  const pause = () => ask({
    title: t("play.pause"), act: t("play.pause.act"), danger: true, text: "reason", children: <p>{t("play.pause.happens", { what: scope(gameType, agentCode) })}</p>,
    run: (reason) => api.post("/admin/play/pause", { body: { ...of(gameType, agentCode), reason } }),
    done: t("play.paused"),
  });
  return (
    <form class="panel row" id="pause" onSubmit={(e) => { e.preventDefault(); pause(); }}>
      <Input label={t("play.which")} class="game" value={game} onInput={(e) => setGame(e.currentTarget.value.trim())} />
      <Input label={t("play.whose")} class="agent" value={agent} onInput={(e) => setAgent(e.currentTarget.value.trim())} />
      <div class="field"><button type="submit" class="danger">{t("play.pause.act")}</button></div>
    </form>
  );
}
