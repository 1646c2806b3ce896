// Actions on a player, each shown only if the role allows it.

import { useState } from "preact/hooks";
import { api, type Schemas } from "../shared/api";
import { Input, Select } from "../shared/fields";
import { ask } from "./confirm";
import { may } from "./me";
import { amount } from "./store";
import { counted, t, type Text } from "./text";
import { useAmount } from "./token";

type Player = Schemas["PlayerDetails"];
type Limit = Schemas["LimitsRequest"]["limits"][number];

const DAY_MS = 86_400_000;

export function PlayerActs({ player }: { player: Player }) {
  const write = may("admin:write");
  if (!write && !may("balances:write") && !may("roles:write")) return null;
  return (
    <section class="panel" id="acts" aria-label={t("column.acts")}>
      {write && <Freeze player={player} />}
      {write && <Exclude player={player} />}
      {write && <Limits player={player} />}
      {may("balances:write") && <Adjust player={player} />}
      {may("roles:write") && <Rebind player={player} />}
    </section>
  );
}

function Freeze({ player: { wallet, status } }: { player: Player }) {
  const frozen = status === "frozen";
  return (
    <p>
      <button type="button" id="freeze" class={frozen ? "" : "danger"} onClick={() => ask({
        title: t(frozen ? "player.unfreeze" : "player.freeze"), act: t(frozen ? "player.unfreeze.act" : "player.freeze.act"), danger: !frozen, text: "reason",
        children: <p>{t(frozen ? "player.unfreeze.happens" : "player.freeze.happens")}</p>,
        run: (reason) => api.post("/admin/players/{wallet}/freeze", { path: { wallet }, body: { frozen: !frozen, reason } }),
        done: t(frozen ? "player.unfrozen" : "player.frozen"),
      })}>{t(frozen ? "player.unfreeze.act" : "player.freeze.act")}</button>
    </p>
  );
}

function Exclude({ player: { wallet } }: { player: Player }) {
  const [days, setDays] = useState("");
  const exclude = () => ask({
    title: t("player.exclude"), act: t("player.exclude.act"), danger: true, text: "reason",
    children: <p>{days === "" ? t("player.exclude.forever") : counted("player.exclude.happens", Number(days))}</p>,
    run: (reason) => {
      const span = days === "" ? { permanent: true as const } : { until: Date.now() + Number(days) * DAY_MS };
      return api.post("/admin/players/{wallet}/exclusion", { path: { wallet }, body: { ...span, reason } });
    },
    done: t("player.exclusion"),
  });
  return (
    <form class="row" onSubmit={(e) => { e.preventDefault(); exclude(); }}>
      <Input label={t("player.days")} type="number" min={1} max={36500} step={1} value={days} onInput={(e) => setDays(e.currentTarget.value)} />
      <div class="field"><button type="submit">{t("player.exclude.act")}</button></div>
    </form>
  );
}

const KINDS = ["deposit", "wager", "loss"] as const;
const PERIODS = ["day", "week", "month"] as const;

/** The operator's limits: setting one keeps the others. */
function Limits({ player: { wallet, limits } }: { player: Player }) {
  const [kind, setKind] = useState<Limit["kind"]>("deposit");
  const [period, setPeriod] = useState<Limit["period"]>("day");
  const { token, fields, take } = useAmount(true);
  const now: Limit[] = limits.flatMap((each) => (each.by === "operator" && each.amount !== null ? [{ kind: each.kind, period: each.period, token: each.token, amount: each.amount }] : []));
  const impose = (to: Limit[], happens: string) => ask({
    title: t("player.impose"), act: t("player.impose.act"), text: "reason",
    children: <p>{happens}</p>,
    run: (reason) => api.put("/admin/players/{wallet}/limits", { path: { wallet }, body: { limits: to, reason } }),
    done: t("player.imposed"),
  });
  const set = () => {
    const most = take();
    if (most === null) return;
    const others = now.filter((each) => each.kind !== kind || each.period !== period || each.token !== token);
    impose([...others, { kind, period, token, amount: most }], t("player.impose.happens", { kind: t(`limit.${kind}` as Text), period: t(`limit.${period}` as Text), amount: amount(most, token) }));
  };
  return (
    <form class="row" onSubmit={(e) => { e.preventDefault(); set(); }}>
      <Select label={t("player.limit")} value={kind} options={KINDS.map((each) => [each, t(`limit.${each}` as Text)])} onChange={setKind} />
      <Select label={t("player.period")} value={period} options={PERIODS.map((each) => [each, t(`limit.${each}` as Text)])} onChange={setPeriod} />
      {fields}
      <div class="field"><button type="submit">{t("player.impose.act")}</button></div>
      {now.length > 0 && <div class="field"><button type="button" onClick={() => impose([], t("player.lift.happens"))}>{t("player.lift")}</button></div>}
    </form>
  );
}

function Adjust({ player: { wallet, balances } }: { player: Player }) {
  const { token, fields, setText, take } = useAmount(false, balances[0]?.token);
  const [credit, setCredit] = useState(true);
  const adjust = () => {
    const by = take();
    if (by === null) return;
    ask({
      title: t("player.adjust"), act: t(credit ? "player.credit" : "player.debit"), danger: !credit, text: "reason",
      children: <><p>{t(credit ? "player.credit.happens" : "player.debit.happens", { amount: amount(by, token) })}</p><p><code>{wallet}</code></p></>,
      run: (reason) => api.patch("/admin/balances/{user}", { path: { user: wallet }, once: true, body: { token, amount: credit ? by : -by, reason } }),
      done: (done) => {
        setText("");
        return "approval" in done ? t("second.asked") : t("player.adjusted", { balance: amount(done.balance, token) });
      },
    });
  };
  return (
    <form class="row" id="adjust" onSubmit={(e) => { e.preventDefault(); adjust(); }}>
      <Select label={t("player.adjust")} value={credit ? "credit" : "debit"} options={[["credit", t("player.credit")], ["debit", t("player.debit")]]} onChange={(way) => setCredit(way === "credit")} />
      {fields}
      <div class="field"><button type="submit">{t(credit ? "player.credit" : "player.debit")}</button></div>
    </form>
  );
}

function Rebind({ player: { wallet, agentCode } }: { player: Player }) {
  const [code, setCode] = useState("");
  const rebind = () => ask({
    title: t("player.rebind"), act: t("player.rebind.act"), text: "reason",
    children: <p>{t("player.rebind.happens", { from: agentCode, to: code })}</p>,
    run: (reason) => api.put("/admin/players/{wallet}/agent", { path: { wallet }, body: { agentCode: code, reason } }),
    done: t("player.rebound"),
  });
  return (
    <form class="row" onSubmit={(e) => { e.preventDefault(); rebind(); }}>
      <Input label={t("player.agent")} required value={code} onInput={(e) => setCode(e.currentTarget.value.trim())} />
      <div class="field"><button type="submit">{t("player.rebind.act")}</button></div>
    </form>
  );
}
