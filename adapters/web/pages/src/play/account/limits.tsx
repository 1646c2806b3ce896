// Protection of players: limits, a break, exclusion, and the totals of this session.

import { useId, useState } from "preact/hooks";
import { api, type Schemas } from "../../shared/api";
import { language, maybe, t } from "../../shared/i18n";
import { typed } from "../../shared/money";
import { complain, say } from "../../shared/notices";
import { Choice } from "../frame";
import { amount, token } from "../store";
import { Private, useRead } from "./private";

type Limit = Schemas["LimitsRequest"]["limits"][number];
const KINDS = ["deposit", "wager", "loss"] as const;
const PERIODS = ["day", "week", "month"] as const;

export default function Limits() {
  return (
    <Private title={t("nav.limits")}>
      <Sitting />
      <Own />
      <Pause />
    </Private>
  );
}

function Sitting() {
  const [sitting] = useRead(() => api.get("/account/session"));
  return (
    <section class="panel">
      <h2>{t("limits.session")}</h2>
      {sitting?.tokens.length === 0 && <p class="muted">{t("limits.nothing")}</p>}
      {sitting?.tokens.map((each) => (
        <p key={each.token}>{t("limits.played", { rounds: String(each.rounds), wagered: amount(each.wagered, each.token), net: amount(each.net, each.token) })}</p>
      ))}
    </section>
  );
}

function Own() {
  const id = useId();
  const [list, again] = useRead(() => api.get("/account/limits"));
  const [kind, setKind] = useState<Limit["kind"]>("loss");
  const [period, setPeriod] = useState<Limit["period"]>("day");
  const [text, setText] = useState("");
  const own = (list?.limits ?? []).filter((each) => each.by === "player");
  const put = (limits: Limit[]) => api.put("/account/limits", { body: { limits } }).then(() => { say(t("limits.saved"), "good"); again(); }, complain);
  const kept = (without: (each: Limit) => boolean): Limit[] => own.flatMap((each) => {
    const same = { kind: each.kind, period: each.period, token: each.token, amount: each.amount ?? 0 };
    return each.amount === null || without(same) ? [] : [same];
  });
  const set = () => {
    const sum = token.value === null ? null : typed(text, token.value.decimals, language.value);
    if (sum === null || token.value === null) return say(t("bet.invalid"), "bad");
    const next: Limit = { kind, period, token: token.value.token, amount: sum };
    void put([...kept((each) => each.kind === kind && each.period === period && each.token === next.token), next]);
    setText("");
  };
  return (
    <section class="panel">
      <h2>{t("limits.own")}</h2>
      <ul class="stack" id="limits">
        {list?.limits.map((each, i) => (
          <li key={i} class="hint row">
            <span>{maybe(`limit.${each.kind}`)} · {maybe(`period.${each.period}`)} · {each.amount === null ? t("limits.ends") : amount(each.amount, each.token)}</span>
            {Number(each.effectiveAt) > Date.now() && <span class="tag">{t("limits.from", { when: new Date(Number(each.effectiveAt)).toLocaleString(language.value) })}</span>}
            {each.by === "player" && each.amount !== null && <button type="button" onClick={() => void put(kept((other) => other.kind === each.kind && other.period === each.period && other.token === each.token))}>{t("remove")}</button>}
          </li>
        ))}
      </ul>
      <form id="limit" onSubmit={(e) => { e.preventDefault(); set(); }}>
        <Choice label={t("limits.kind")} options={KINDS} value={kind} onChange={setKind} name={(each) => maybe(`limit.${each}`) ?? each} />
        <Choice label={t("limits.period")} options={PERIODS} value={period} onChange={setPeriod} name={(each) => maybe(`period.${each}`) ?? each} />
        <div class="row">
          <div class="field">
            <label for={id}>{t("amount")}<span>{token.value?.symbol}</span></label>
            <input id={id} inputMode="decimal" autoComplete="off" value={text} onInput={(e) => setText(e.currentTarget.value)} />
          </div>
          <button type="submit" class="primary">{t("limits.set")}</button>
        </div>
      </form>
    </section>
  );
}

const HOUR_MS = 3_600_000;

const LENGTHS = ["24", "168", "720"]; // hours
const EXCLUSIONS = ["4320", "permanent"];

function Pause() {
  const [length, setLength] = useState("24");
  const [exclusion, setExclusion] = useState("4320");
  const [sure, setSure] = useState(false);
  const state = (found: Schemas["ExclusionResponse"]) => say(t("limits.state", { status: maybe(`state.${found.exclusion.status}`) ?? found.exclusion.status }), "good");
  const until = (hours: string) => Date.now() + Number(hours) * HOUR_MS;
  return (
    <section class="panel">
      <h2>{t("limits.pause")}</h2>
      <Choice label={t("limits.break")} options={LENGTHS} value={length} onChange={setLength} name={(each) => maybe(`length.${each}`) ?? each} />
      <button type="button" id="break" onClick={() => api.post("/account/cool-off", { body: { until: until(length) } }).then(state, complain)}>{t("limits.take")}</button>
      <hr />
      <Choice label={t("limits.exclusion")} options={EXCLUSIONS} value={exclusion} onChange={setExclusion} name={(each) => maybe(`length.${each}`) ?? each} />
      <label class="check"><input type="checkbox" checked={sure} onChange={(e) => setSure(e.currentTarget.checked)} /> {t("limits.sure")}</label>
      <button type="button" id="exclude" class="danger" disabled={!sure}
        onClick={() => api.post("/account/exclusion", { body: exclusion === "permanent" ? { permanent: true } : { until: until(exclusion) } }).then(state, complain)}>
        {t("limits.exclude")}
      </button>
    </section>
  );
}
