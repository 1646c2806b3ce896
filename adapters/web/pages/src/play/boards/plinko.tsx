// Plinko: pins, the ball's way through them, and the buckets with what they pay.

import { useState } from "preact/hooks";
import { t } from "../../shared/i18n";
import { Amount, Choice, Frame } from "../frame";
import type { Table } from "../table";

const RISKS = ["low", "medium", "high", "expert"] as const;
interface Pays { risk: string; rows: number; pays: number[] }

export default function Plinko({ table }: { table: Table }) {
  const [rows, setRows] = useState(16);
  const [risk, setRisk] = useState<(typeof RISKS)[number]>("medium");
  const round = table.last.value;
  const played = round?.config as { rows: number; risk: string } | undefined;
  const same = played?.rows === rows && played.risk === risk;
  const path = same ? (round?.outcome?.path as number[] | undefined) : undefined;
  const bucket = same ? (round?.outcome?.bucket as number | undefined) : undefined;
  const pays = (table.game.table as { tables: Pays[] } | null)?.tables.find((each) => each.rows === rows && each.risk === risk)?.pays ?? [];
  const gap = 100 / (rows + 2);
  const x = (row: number, place: number) => 50 + (place - row / 2) * gap;
  let right = 0;
  const way = path === undefined ? [] : [[50, 2], ...path.map((step, i) => [x(i + 1, (right += step)), 8 + ((i + 1) * 74) / rows])];
  const controls = (
    <>
      <Choice label={t("risk")} options={RISKS} value={risk} onChange={setRisk} />
      <Amount label={t("plinko.rows")} value={rows} min={8} max={16} onChange={(to) => setRows(Math.round(to))} />
    </>
  );
  return (
    <Frame table={table} controls={controls} betLabel={t("plinko.drop")} onBet={() => table.play({ rows, risk })}>
      <div class="plinko">
        <svg viewBox="0 0 100 86" role="img" aria-label={bucket === undefined ? t("plinko.board") : t("plinko.bucket", { bucket: bucket + 1, pays: String(pays[bucket] ?? "") })}>
          {Array.from({ length: rows }, (_, row) => Array.from({ length: row + 3 }, (_, i) => (
            <circle key={`${row}.${i}`} cx={x(row + 2, i)} cy={8 + ((row + 0.55) * 74) / rows} r={gap / 9} class="pin" />
          )))}
          {way.length > 0 && <polyline key={round?.id} points={way.map((at) => at.join(",")).join(" ")} class="way" pathLength={1} />}
          {way.length > 0 && <circle cx={way.at(-1)![0]} cy={way.at(-1)![1]} r={gap / 3.4} class="ball" />}
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
