// Wheel: segments coloured by their payout; it turns until the drawn one is under the pointer.

import { useRef, useState } from "preact/hooks";
import { t, times } from "../../shared/i18n";
import { Choice, Frame } from "../frame";
import type { Table } from "../table";
import { pointAt, useMotion } from "./moving";
import "./wheel.css";

const SEGMENTS = [10, 20, 30, 40, 50] as const;
const RISKS = ["low", "medium", "high"] as const;
interface Pays { segments: number; risk: string; pays: number[] }

const TURNS = 3;
const SPIN_MS = 1800;
const motion = () => SPIN_MS;

export default function Wheel({ table }: { table: Table }) {
  const [segments, setSegments] = useState<(typeof SEGMENTS)[number]>(10);
  const [risk, setRisk] = useState<(typeof RISKS)[number]>("low");
  const before = useRef(0);
  const pays = (table.game.table as { tables: Pays[] } | null)?.tables.find((each) => each.segments === segments && each.risk === risk)?.pays ?? [];
  const kinds = [...new Set(pays)].sort((a, b) => a - b);
  const round = table.last.value;
  const same = round?.config?.segments === segments && round.config.risk === risk;
  const index = same ? (round?.outcome?.index as number | undefined) : undefined;
  const hit = table.revealed.value ? index : undefined;
  const angle = index === undefined ? before.current : 360 - ((index + 0.5) / pays.length) * 360;
  const turning = useMotion<SVGGElement>(table, (element) => {
    const from = before.current;
    before.current = angle;
    return element.animate([{ transform: `rotate(${from - 360 * TURNS}deg)` }, { transform: `rotate(${angle}deg)` }], { duration: SPIN_MS, easing: "cubic-bezier(.12, .7, .2, 1)" });
  });
  const controls = (
    <>
      <Choice label={t("risk")} options={RISKS} value={risk} onChange={setRisk} />
      <Choice label={t("wheel.segments")} options={SEGMENTS} value={segments} onChange={setSegments} />
    </>
  );
  return (
    <Frame table={table} controls={controls} betLabel={t("wheel.spin")} onBet={() => table.play({ segments, risk })} motion={motion}>
      <div class="wheel">
        <span class="pointer" aria-hidden="true" />
        <svg viewBox="0 0 100 100" role="img" aria-label={hit === undefined ? t("wheel.board") : times(pays[hit] ?? 0)}>
          <g ref={turning} class="turning" style={{ transform: `rotate(${angle}deg)` }}>
            {pays.map((each, i) => (
              <path key={i} class={`kind${kinds.indexOf(each)} ${i === hit ? "hit" : ""}`} d={`M50 50L${pointAt(i / pays.length, 48)}A48 48 0 0 1 ${pointAt((i + 1) / pays.length, 48)}Z`} />
            ))}
          </g>
          <circle cx="50" cy="50" r="30" class="hub" />
          <text x="50" y="55" text-anchor="middle" class="hub-text">{hit === undefined ? "" : times(pays[hit] ?? 0)}</text>
        </svg>
        <ul class="legend">{kinds.map((each, i) => <li key={each}><span class={`dot kind${i}`} aria-hidden="true" />{times(each)}</li>)}</ul>
      </div>
    </Frame>
  );
}
