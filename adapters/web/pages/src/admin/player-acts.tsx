// Actions on a player, each shown only if the role allows it.

import { useId, useState } from "preact/hooks";
import { api, type Schemas } from "../shared/api";
import { language } from "../shared/i18n";
import { typed, written } from "../shared/money";
import { say } from "../shared/notices";
import { ask } from "./confirm";
import { may } from "./me";
import { amount, symbol, terms } from "./store";
import { counted, t, type Text } from "./text";
import { Token, useToken } from "./token";
import { TokenAmount } from "./token-amount";

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
        run: async (reason) => {
          await api.post("/admin/players/{wallet}/freeze", { path: { wallet }, body: { frozen: !frozen, reason } });
          return t(frozen ? "player.unfrozen" : "player.frozen");
        },
      })}>{t(frozen ? "player.unfreeze.act" : "player.freeze.act")}</button>
    </p>
  );
}

function Exclude({ player: { wallet } }: { player: Player }) {
  const id = useId();
  const [days, setDays] = useState("");
  const exclude = () => ask({
    title: t("player.exclude"), act: t("player.exclude.act"), danger: true, text: "reason",
    children: <p>{days === "" ? t("player.exclude.forever") : counted("player.exclude.happens", Number(days))}</p>,
    run: async (reason) => {
      const span = days === "" ? { permanent: true as const } : { until: Date.now() + Number(days) * DAY_MS };
      await api.post("/admin/players/{wallet}/exclusion", { path: { wallet }, body: { ...span, reason } });
      return t("player.exclusion");
    },
  });
  return (
    <form class="row" onSubmit={(e) => { e.preventDefault(); exclude(); }}>
      <div class="field">
        <label for={id}>{t("player.days")}</label>
        <input id={id} type="number" min={1} max={36500} step={1} value={days} onInput={(e) => setDays(e.currentTarget.value)} />
      </div>
      <div class="field"><button type="submit">{t("player.exclude.act")}</button></div>
    </form>
  );
}

const KINDS = ["deposit", "wager", "loss"] as const;
const PERIODS = ["day", "week", "month"] as const;

/** The operator's limits: setting one keeps the others. */
function Limits({ player: { wallet, limits } }: { player: Player }) {
  const ids = [useId(), useId(), useId()] as const;
  const [kind, setKind] = useState<Limit["kind"]>("deposit");
  const [period, setPeriod] = useState<Limit["period"]>("day");
  const [token, setToken] = useToken();
  const [text, setText] = useState("");
  const now: Limit[] = limits.flatMap((each) => (each.by === "operator" && each.amount !== null ? [{ kind: each.kind, period: each.period, token: each.token, amount: each.amount }] : []));
  const impose = (to: Limit[], happens: string) => ask({
    title: t("player.impose"), act: t("player.impose.act"), text: "reason",
    children: <p>{happens}</p>,
    run: async (reason) => {
      await api.put("/admin/players/{wallet}/limits", { path: { wallet }, body: { limits: to, reason } });
      return t("player.imposed");
    },
  });
  const set = () => {
    const most = typed(text, terms(token)?.decimals ?? 0, language.value);
    if (most === null) return say(t("amount.wrong"), "bad");
    const others = now.filter((each) => each.kind !== kind || each.period !== period || each.token !== token);
    impose([...others, { kind, period, token, amount: most }], t("player.impose.happens", { kind: t(`limit.${kind}` as Text), period: t(`limit.${period}` as Text), amount: amount(most, token) }));
  };
  return (
    <form class="row" onSubmit={(e) => { e.preventDefault(); set(); }}>
      <div class="field"><label for={ids[0]}>{t("player.limit")}</label><select id={ids[0]} value={kind} onChange={(e) => setKind(e.currentTarget.value as Limit["kind"])}>{KINDS.map((each) => <option key={each} value={each}>{t(`limit.${each}` as Text)}</option>)}</select></div>
      <div class="field"><label for={ids[1]}>{t("player.period")}</label><select id={ids[1]} value={period} onChange={(e) => setPeriod(e.currentTarget.value as Limit["period"])}>{PERIODS.map((each) => <option key={each} value={each}>{t(`limit.${each}` as Text)}</option>)}</select></div>
      <Token id={ids[2]} value={token} onChange={setToken} />
      <TokenAmount token={token} value={text} onInput={setText} zero />
      <div class="field"><button type="submit">{t("player.impose.act")}</button></div>
      {now.length > 0 && <div class="field"><button type="button" onClick={() => impose([], t("player.lift.happens"))}>{t("player.lift")}</button></div>}
    </form>
  );
}

function Adjust({ player: { wallet, balances } }: { player: Player }) {
  const ids = [useId(), useId()] as const;
  const [token, setToken] = useToken(balances[0]?.token);
  const [credit, setCredit] = useState(true);
  const [text, setText] = useState("");
  const adjust = () => {
    const by = typed(text, terms(token)?.decimals ?? 0, language.value);
    if (by === null || by === 0n) return say(t("amount.wrong"), "bad");
    ask({
      title: t("player.adjust"), act: t(credit ? "player.credit" : "player.debit"), danger: !credit, text: "reason",
      children: <><p>{t(credit ? "player.credit.happens" : "player.debit.happens", { amount: amount(by, token) })}</p><p><code>{wallet}</code></p></>,
      run: async (reason) => {
        const done = await api.patch("/admin/balances/{user}", { path: { user: wallet }, once: true, body: { token, amount: credit ? by : -by, reason } });
        setText("");
        return "approval" in done ? t("second.asked") : t("player.adjusted", { balance: written(done.balance, terms(token)?.decimals ?? 0, language.value), token: symbol(token) });
      },
    });
  };
  return (
    <form class="row" id="adjust" onSubmit={(e) => { e.preventDefault(); adjust(); }}>
      <div class="field"><label for={ids[0]}>{t("player.adjust")}</label><select id={ids[0]} value={credit ? "credit" : "debit"} onChange={(e) => setCredit(e.currentTarget.value === "credit")}><option value="credit">{t("player.credit")}</option><option value="debit">{t("player.debit")}</option></select></div>
      <Token id={ids[1]} value={token} onChange={setToken} />
      <TokenAmount token={token} value={text} onInput={setText} />
      <div class="field"><button type="submit">{t(credit ? "player.credit" : "player.debit")}</button></div>
    </form>
  );
}

function Rebind({ player: { wallet, agentCode } }: { player: Player }) {
  const id = useId();
  const [code, setCode] = useState("");
  const rebind = () => ask({
    title: t("player.rebind"), act: t("player.rebind.act"), text: "reason",
    children: <p>{t("player.rebind.happens", { from: agentCode, to: code })}</p>,
    run: async (reason) => {
      await api.put("/admin/players/{wallet}/agent", { path: { wallet }, body: { agentCode: code, reason } });
      return t("player.rebound");
    },
  });
  return (
    <form class="row" onSubmit={(e) => { e.preventDefault(); rebind(); }}>
      <div class="field"><label for={id}>{t("player.agent")}</label><input id={id} required autoComplete="off" value={code} onInput={(e) => setCode(e.currentTarget.value.trim())} /></div>
      <div class="field"><button type="submit">{t("player.rebind.act")}</button></div>
    </form>
  );
}
