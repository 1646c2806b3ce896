// The plan of auto-bet, and its progress.

import { useEffect, useId, useState } from "preact/hooks";
import { allowed, AmountInput } from "../shared/amount-input";
import { Input } from "../shared/fields";
import { t } from "../shared/i18n";
import { ended, runAuto, running, stopAuto } from "./auto";
import type { Plan } from "./auto-plan";
import "./auto.css";
import { signedAmount, token } from "./store";
import type { Table } from "./table";

const COUNT_MAX = 100_000;
const PERCENT_MAX = 1000;

interface Props {
  table: Table;
  bet: () => Promise<unknown>;
  /** Whether the stakes are chips on a board, which a plan can't increase. */
  fixed: boolean;
}

export function AutoPanel({ table, bet, fixed }: Props) {
  const [count, setCount] = useState("10");
  const [onWin, setOnWin] = useState<string | null>(null);
  const [onLoss, setOnLoss] = useState<string | null>(null);
  const [profit, setProfit] = useState("");
  const [loss, setLoss] = useState("");
  useEffect(() => stopAuto, [table]);
  const now = running.value?.table === table ? running.value : null;
  const locked = now !== null;
  const of = token.value;
  const bound = (label: string, value: string, onInput: (text: string) => void) => of !== null && (
    <AmountInput label={label} symbol={of.symbol} decimals={of.decimals} value={value} onInput={onInput} hint={null} disabled={locked} />
  );
  const plan = planOf({ count, onWin, onLoss, profit, loss });
  return (
    <div class="auto">
      <Input label={t("auto.count")} beside={t("auto.endless")} inputMode="decimal" value={count} disabled={locked} onInput={(e) => setCount(e.currentTarget.value)} />
      {!fixed && <Change label={t("auto.win")} value={onWin} locked={locked} onChange={setOnWin} />}
      {!fixed && <Change label={t("auto.loss")} value={onLoss} locked={locked} onChange={setOnLoss} />}
      {bound(t("auto.profit"), profit, setProfit)}
      {bound(t("auto.stoploss"), loss, setLoss)}
      <p class="auto-state" role="status">
        {now !== null && t(now.waits ? "auto.waits" : "auto.runs", { played: now.run.played, net: signedAmount(now.run.net, token.value?.token ?? "") })}
        {now === null && ended.value !== null && t(`auto.end.${ended.value}`)}
        {plan === null && t("auto.invalid")}
      </p>
      {now !== null
        ? <button type="button" class="primary big" onClick={stopAuto}>{t("auto.stop")}</button>
        : <button type="button" class="primary big" disabled={plan === null} onClick={() => plan !== null && void runAuto(table, plan, bet)}>{t("auto.start")}</button>}
    </div>
  );
}

interface Typed { count: string; onWin: string | null; onLoss: string | null; profit: string; loss: string }

/** The plan that was typed, or null if a part isn't a number. */
function planOf({ count, onWin, onLoss, profit, loss }: Typed): Plan | null {
  const whole = (text: string, most: number) => (/^\d+$/.test(text.trim()) && Number(text) <= most ? Number(text) : undefined);
  const sum = (text: string) => (text.trim() === "" || token.value === null ? null : (allowed(text, token.value.decimals, {}) ?? undefined));
  const plan = {
    count: count.trim() === "" || count.trim() === "0" ? null : whole(count, COUNT_MAX),
    onWin: onWin === null ? null : whole(onWin, PERCENT_MAX), onLoss: onLoss === null ? null : whole(onLoss, PERCENT_MAX),
    profit: sum(profit), loss: sum(loss),
  };
  return Object.values(plan).includes(undefined) ? null : (plan as Plan);
}

/** What a win or a loss does to the wager: back to the first one, or so many percent more. */
function Change({ label, value, locked, onChange }: { label: string; value: string | null; locked: boolean; onChange: (value: string | null) => void }) {
  const id = useId();
  return (
    <fieldset class="field" disabled={locked}>
      <legend>{label}</legend>
      <div class="joined">
        <button type="button" aria-pressed={value === null} class={value === null ? "primary" : ""} onClick={() => onChange(null)}>{t("auto.reset")}</button>
        <label for={id} class="hidden">{t("auto.increase")}: {label}</label>
        <input id={id} inputMode="numeric" autoComplete="off" value={value ?? ""} placeholder={t("auto.increase")} onInput={(e) => onChange(e.currentTarget.value === "" ? null : e.currentTarget.value)} />
        <span class="percent" aria-hidden="true">%</span>
      </div>
    </fieldset>
  );
}
