// Protection of players: limits, a break, exclusion, and the totals of this sitting.

import { useState } from "preact/hooks";
import { AmountInput, allowed } from "../../shared/amount-input";
import { api, type Schemas } from "../../shared/api";
import { language, maybe, t } from "../../shared/i18n";
import { complain, say } from "../../shared/notices";
import { Sure } from "../../shared/sure";
import { Choice } from "../frame";
import { SittingPanel } from "../reminder";
import { amount, token } from "../store";
import { Private, useRead } from "./private";

type Limit = Schemas["LimitsRequest"]["limits"][number];
type Shown = Schemas["Limits"]["limits"][number];
const KINDS = ["deposit", "wager", "loss"] as const;
const PERIODS = ["day", "week", "month"] as const;
const HOUR_MS = 3_600_000;
const RAISE_HOURS = 24; // until a higher limit, or none, can be confirmed

/** A moment as people read it, with its day of the week. */
function moment(at: number): string {
  return new Date(at).toLocaleString(language.value, { weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "numeric", minute: "2-digit" });
}

export default function Limits() {
  return (
    <Private title={t("nav.limits")}>
      <SittingPanel />
      <Own />
      <Pause />
    </Private>
  );
}

const same = (a: Pick<Limit, "kind" | "period" | "token">, b: Pick<Limit, "kind" | "period" | "token">) => a.kind === b.kind && a.period === b.period && a.token === b.token;

function Own() {
  const [list, again] = useRead(() => api.get("/account/limits"));
  const [kind, setKind] = useState<Limit["kind"]>("loss");
  const [period, setPeriod] = useState<Limit["period"]>("day");
  const [text, setText] = useState("");
  const [removing, setRemoving] = useState<Shown | null>(null);
  const own = (list?.limits ?? []).filter((each) => each.by === "player");
  // A limit that waits is listed after the present one, and replaces it.
  const kept = (without: Pick<Limit, "kind" | "period" | "token">): Limit[] => own.flatMap((each, i) => (
    each.amount === null || same(each, without) || own.slice(i + 1).some((later) => same(later, each)) ? [] : [{ kind: each.kind, period: each.period, token: each.token, amount: each.amount }]
  ));
  const put = (limits: Limit[]) => api.put("/account/limits", { body: { limits } }).then(() => { say(t("limits.saved"), "good"); again(); }, complain);
  const confirm = () => void api.post("/account/limits/confirm").then(() => { say(t("limits.saved"), "good"); again(); }, complain);
  const of = token.value;
  const sum = of === null ? null : allowed(text, of.decimals, { zero: true });
  const present = own.find((each) => of !== null && same(each, { kind, period, token: of.token }) && Number(each.effectiveAt) <= Date.now());
  const raises = sum !== null && present !== undefined && present.amount !== null && sum > BigInt(present.amount);
  const later = moment(Date.now() + RAISE_HOURS * HOUR_MS);
  return (
    <section class="panel">
      <h2>{t("limits.own")}</h2>
      {(list === null || list.limits.length === 0) && <p class="hint" style={{ visibility: list === null ? "hidden" : "visible" }}>{t("limits.none")}</p>}
      <ul class="stack" id="limits">
        {list?.limits.map((each, i) => (
          <li key={i} class="hint row">
            <span>{maybe(`limit.${each.kind}`)} · {maybe(`period.${each.period}`)} · {each.amount === null ? t("limits.ends") : amount(each.amount, each.token)}</span>
            {each.pending === true && Number(each.effectiveAt) <= Date.now() && <button type="button" class="confirm" onClick={confirm}>{t("limits.confirm")}</button>}
            {Number(each.effectiveAt) > Date.now() && <span class="tag">{t("limits.from", { when: new Date(Number(each.effectiveAt)).toLocaleString(language.value) })}</span>}
            {each.by === "player" && each.amount !== null && <button type="button" onClick={() => setRemoving(each)}>{t("remove")}</button>}
          </li>
        ))}
      </ul>
      <form id="limit" onSubmit={(e) => { e.preventDefault(); if (sum !== null && of !== null) void put([...kept({ kind, period, token: of.token }), { kind, period, token: of.token, amount: sum }]); }}>
        <Choice label={t("limits.kind")} options={KINDS} value={kind} onChange={setKind} name={(each) => maybe(`limit.${each}`) ?? each} />
        <Choice label={t("limits.period")} options={PERIODS} value={period} onChange={setPeriod} name={(each) => maybe(`period.${each}`) ?? each} />
        {of !== null && (
          <AmountInput label={t("amount")} symbol={of.symbol} decimals={of.decimals} value={text} onInput={setText} zero required
            hint={raises ? t("limits.raise", { when: later }) : sum === null ? null : t("limits.atonce")} />
        )}
        <button type="submit" class="primary" disabled={sum === null}>{t("limits.set")}</button>
      </form>
      {removing !== null && (
        <Sure title={t("limits.removing")} no={t("limits.no")} yes={t("remove")} onClose={() => setRemoving(null)} onYes={() => void put(kept(removing))}>{t("limits.raise", { when: later })}</Sure>
      )}
    </section>
  );
}

const LENGTHS = ["24", "168", "720"]; // hours
const EXCLUSIONS = ["4320", "permanent"];

function Pause() {
  const [length, setLength] = useState("24");
  const [exclusion, setExclusion] = useState("4320");
  const [asked, setAsked] = useState<{ what: "break" | "exclude"; until: number | null } | null>(null);
  const state = (found: Schemas["ExclusionResponse"]) => say(t("limits.state", { status: maybe(`state.${found.exclusion.status}`) ?? found.exclusion.status }), "good");
  const until = (hours: string) => (hours === "permanent" ? null : Date.now() + Number(hours) * HOUR_MS);
  const begin = () => {
    if (asked === null) return;
    const body = asked.until === null ? { permanent: true as const } : { until: asked.until };
    const done = asked.what === "break" ? api.post("/account/cool-off", { body: { until: asked.until ?? 0 } }) : api.post("/account/exclusion", { body });
    done.then(state, complain);
  };
  const title = asked?.what === "break" ? t("limits.break.title") : t("limits.exclude.title");
  return (
    <section class="panel">
      <h2>{t("limits.pause")}</h2>
      <p class="muted">{t("limits.pause.explain")}</p>
      <Choice label={t("limits.break")} options={LENGTHS} value={length} onChange={setLength} name={(each) => maybe(`length.${each}`) ?? each} />
      <button type="button" id="break" onClick={() => setAsked({ what: "break", until: until(length) })}>{t("limits.take")}</button>
      <hr />
      <Choice label={t("limits.exclusion")} options={EXCLUSIONS} value={exclusion} onChange={setExclusion} name={(each) => maybe(`length.${each}`) ?? each} />
      <button type="button" id="exclude" class="danger" onClick={() => setAsked({ what: "exclude", until: until(exclusion) })}>{t("limits.exclude")}</button>
      {asked !== null && (
        <Sure title={title} danger={asked.what === "exclude"} no={t("limits.no")} yes={asked.what === "break" ? t("limits.take") : t("limits.exclude")} onClose={() => setAsked(null)} onYes={begin}>
          {asked.until === null ? t("limits.forever") : t("limits.until", { when: moment(asked.until) })}
        </Sure>
      )}
    </section>
  );
}
