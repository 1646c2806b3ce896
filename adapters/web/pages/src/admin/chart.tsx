// A bar chart, one bar a day, drawn without a library. A table beside it shows the same numbers.

import type { Integer } from "../shared/json";
import { language } from "../shared/i18n";
import { t } from "./text";

export interface Bar {
  /** A day, such as 2026-11-23. */
  day: string;
  value: Integer;
}

const WIDTH = 720;
const HEIGHT = 180;
const GAP = 0.25;
const SCALE = 10_000n; // steps between nothing and the longest bar

/** Bars above the line for what was won by the house and below it for what was lost. */
export function Bars({ bars, label, say }: { bars: readonly Bar[]; label: string; say: (value: Integer) => string }) {
  const values = bars.map((bar) => BigInt(bar.value));
  const most = values.reduce((max, value) => (value > max ? value : max), 0n);
  const least = values.reduce((min, value) => (value < min ? value : min), 0n);
  if (most === least) return <p class="muted">{t("chart.none")}</p>;
  const span = most - least;
  const at = (value: bigint) => (Number(((most - value) * SCALE) / span) / Number(SCALE)) * HEIGHT;
  const zero = at(0n);
  const step = WIDTH / Math.max(1, bars.length);
  const name = (day: string) => new Date(`${day}T00:00:00Z`).toLocaleDateString(language.value, { timeZone: "UTC", day: "numeric", month: "short" });
  return (
    <figure class="chart">
      <svg viewBox={`0 -6 ${WIDTH} ${HEIGHT + 12}`} role="img" aria-label={label} preserveAspectRatio="none">
        {bars.map((bar, i) => {
          const y = at(values[i] ?? 0n);
          return (
            <rect key={bar.day} class={(values[i] ?? 0n) < 0n ? "below" : "above"} x={(i + GAP / 2) * step} width={step * (1 - GAP)} y={Math.min(y, zero)} height={Math.max(1, Math.abs(zero - y))}>
              <title>{`${name(bar.day)}: ${say(bar.value)}`}</title>
            </rect>
          );
        })}
        <line x1="0" x2={WIDTH} y1={zero} y2={zero} />
      </svg>
      <figcaption><span>{bars[0] !== undefined && name(bars[0].day)}</span><span>{label}</span><span>{bars.length > 1 && name(bars[bars.length - 1]?.day ?? "")}</span></figcaption>
      <details>
        <summary>{t("chart.table")}</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={label}>
          <table>
            <thead><tr><th scope="col">{t("column.day")}</th><th scope="col" class="number">{label}</th></tr></thead>
            <tbody>{bars.map((bar) => <tr key={bar.day}><td>{name(bar.day)}</td><td class="number">{say(bar.value)}</td></tr>)}</tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
