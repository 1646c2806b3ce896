// Keno: forty numbers, of which up to ten are picked and ten are drawn.

import { useState } from "preact/hooks";
import { t, times } from "../../shared/i18n";
import { Choice, Frame } from "../frame";
import type { Table } from "../table";
import "./keno.css";

const RISKS = ["classic", "low", "medium", "high"] as const;
const NUMBERS = 40;
const PICKS_MAX = 10;
const DRAW_MS = 90;
const motion = () => DRAW_MS * (PICKS_MAX + 1);
interface Pays { risk: string; picks: number; pays: number[] }

/** Ten random numbers, for convenience; they don't decide the round. */
function some(): number[] {
  const left = Array.from({ length: NUMBERS }, (_, i) => i);
  return Array.from({ length: PICKS_MAX }, () => left.splice(Math.floor(Math.random() * left.length), 1)[0]!).sort((a, b) => a - b);
}

export default function Keno({ table }: { table: Table }) {
  const [picks, setPicks] = useState<number[]>([]);
  const [risk, setRisk] = useState<(typeof RISKS)[number]>("classic");
  const drawn = (table.last.value?.outcome?.draws as number[] | undefined) ?? [];
  const hits = table.revealed.value ? (table.last.value?.outcome?.hits as number | undefined) : undefined;
  const pays = (table.game.table as { tables: Pays[] } | null)?.tables.find((each) => each.risk === risk && each.picks === picks.length)?.pays ?? [];
  const toggle = (n: number) => {
    table.reveal();
    table.last.value = null;
    setPicks(picks.includes(n) ? picks.filter((each) => each !== n) : picks.length < PICKS_MAX ? [...picks, n] : picks);
  };
  const controls = (
    <>
      <Choice label={t("risk")} options={RISKS} value={risk} onChange={setRisk} />
      <div class="row">
        <button type="button" onClick={() => { table.last.value = null; setPicks(some()); }}>{t("keno.random")}</button>
        <button type="button" onClick={() => { table.last.value = null; setPicks([]); }}>{t("clear")}</button>
      </div>
      <p class="muted">{t("keno.picked", { count: picks.length })}</p>
    </>
  );
  return (
    <Frame table={table} controls={controls} {...(picks.length > 0 && { onBet: () => table.play({ picks, risk }) })} {...(picks.length === 0 && { betLabel: t("keno.first") })} motion={motion}>
      <div class="keno">
        <div class="numbers" role="group" aria-label={t("keno.numbers")}>
          {Array.from({ length: NUMBERS }, (_, n) => {
            const picked = picks.includes(n);
            const order = drawn.indexOf(n);
            const out = order >= 0;
            return (
              <button type="button" key={`${n}.${out ? table.last.value?.id : ""}`} aria-pressed={picked} class={`cell ${picked ? "picked" : ""} ${out ? (picked ? "hit" : "drawn") : ""} ${table.revealed.value ? "" : "drawing"}`}
                style={{ "--order": `${order}` }} onClick={() => toggle(n)}>{n + 1}</button>
            );
          })}
        </div>
        <ol class="prizes" aria-label={t("pays")}>
          {pays.map((each, i) => <li key={i} class={i === hits ? (each > 1 ? "hit" : "none") : ""}><span>{i}</span><strong>{times(each)}</strong></li>)}
        </ol>
      </div>
    </Frame>
  );
}
