// Plinko: the ball falls through the pins into a bucket, each of which says what it pays.

import { useState } from "preact/hooks";
import { t } from "../../shared/i18n";
import { Amount, Choice, Frame } from "../frame";
import type { Table } from "../table";
import { useMotion } from "./moving";
import "./plinko.css";

const RISKS = ["low", "medium", "high", "expert"] as const;
interface Pays { risk: string; rows: number; pays: number[] }

const TOP = 8;
const DEEP = 74;
const ROW_MS = 75;
const motion = ({ config }: { config: unknown }) => ROW_MS * (Number((config as { rows: number } | null)?.rows ?? 16) + 1);

export default function Plinko({ table }: { table: Table }) {
  const [rows, setRows] = useState(16);
  const [risk, setRisk] = useState<(typeof RISKS)[number]>("medium");
  const round = table.last.value;
  const played = round?.config as { rows: number; risk: string } | undefined;
  const same = played?.rows === rows && played.risk === risk;
  const path = (same ? (round?.outcome?.path as number[] | undefined) : undefined) ?? [];
  const bucket = same && table.revealed.value ? (round?.outcome?.bucket as number | undefined) : undefined;
  const pays = (table.game.table as { tables: Pays[] } | null)?.tables.find((each) => each.rows === rows && each.risk === risk)?.pays ?? [];
  const gap = 100 / (rows + 2);
  const y = (row: number) => TOP + (row * DEEP) / rows;
  let right = 0;
  const way = [[50, 1], ...path.map((step, i) => [50 + ((right += step) - (i + 1) / 2) * gap, y(i + 1)] as const)];
  const ball = useMotion<SVGCircleElement>(table, (element) => element.animate(
    way.map(([x, down]) => ({ transform: `translate(${x}px, ${down}px)`, easing: "cubic-bezier(.4, 0, .9, .6)" })), { duration: ROW_MS * path.length },
  ));
  const [x, down] = way.at(-1)!;
  const controls = (
    <>
      <Choice label={t("risk")} options={RISKS} value={risk} onChange={setRisk} />
      <Amount label={t("plinko.rows")} value={rows} min={8} max={16} onChange={(to) => setRows(Math.round(to))} />
    </>
  );
  return (
    <Frame table={table} controls={controls} betLabel={t("plinko.drop")} onBet={() => table.play({ rows, risk })} motion={motion}>
      <div class="plinko">
        <svg viewBox="0 0 100 86" role="img" aria-label={bucket === undefined ? t("plinko.board") : t("plinko.bucket", { bucket: bucket + 1, pays: String(pays[bucket] ?? "") })}>
          {Array.from({ length: rows }, (_, row) => Array.from({ length: row + 3 }, (_, i) => (
            <circle key={`${row}.${i}`} cx={50 + (i - (row + 2) / 2) * gap} cy={y(row + 0.55)} r={gap / 9} class="pin" />
          )))}
          {path.length > 0 && <circle ref={ball} r={gap / 3.4} class="ball" style={{ transform: `translate(${x}px, ${down}px)` }} />}
        </svg>
        <ol class="buckets" aria-hidden="true">
          {pays.map((each, i) => (
            <li key={i} class={i === bucket ? "hit" : ""} style={{ "--heat": `${Math.min(100, Math.abs(i - rows / 2) * (200 / rows))}%` }}>{each}</li>
          ))}
        </ol>
      </div>
    </Frame>
  );
}
