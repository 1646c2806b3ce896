// The net result of each day as bars, with axes. The table below it has the same values.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { decimal } from "../../shared/money";
import { language, t } from "../../shared/i18n";
import { theme } from "../../shared/theme";

export interface Day {
  day: string;
  net: bigint;
}

const HEIGHT = 240;
const AXIS = 76;
const DAY = 86_400; // seconds

function dayName(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString(language.value, { day: "numeric", month: "short" });
}

function draw(place: HTMLElement, days: Day[], decimals: number, symbol: string): uPlot {
  const style = getComputedStyle(place);
  const colour = (name: string) => {
    const probe = place.appendChild(document.createElement("i"));
    probe.style.color = `var(${name})`;
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };
  const [text, line, gain, loss] = [colour("--muted"), colour("--line"), colour("--gain"), colour("--loss")];
  const noons = days.map(({ day }) => new Date(`${day}T12:00`).getTime() / 1000);
  // A day without a value at both ends has room for the first and the last bar.
  const at = [(noons[0] ?? 0) - DAY, ...noons, (noons.at(-1) ?? 0) + DAY];
  const values = [null, ...days.map(({ net }) => Number(decimal(net, decimals))), null];
  const number = (value: number | null) => (value === null ? "–" : value.toLocaleString(language.value, { maximumSignificantDigits: 6, signDisplay: "exceptZero" }));
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, font: `12px ${style.fontFamily}` };
  return new uPlot({
    width: place.clientWidth,
    height: HEIGHT,
    cursor: { drag: { x: false } },
    axes: [
      { ...axis, splits: () => thinned(noons, place.clientWidth / AXIS), values: (_, splits) => splits.map(dayName) },
      { ...axis, size: AXIS, label: symbol, labelSize: 20, labelFont: axis.font, values: (_, splits) => splits.map(number) },
    ],
    series: [
      { label: t("statistics.day"), value: (_, seconds: number | null) => (seconds === null ? "–" : dayName(seconds)) },
      {
        label: t("column.net"), value: (_, value: number | null) => number(value), points: { show: false }, width: 0, // a bar with a stroke takes one colour for all
        paths: uPlot.paths.bars!({ size: [0.7, 48], disp: { fill: { unit: 3, values: () => values.map((value) => ((value ?? 0) < 0 ? loss : gain)) } } }),
      },
    ],
  }, [at, values], place);
}

/** At most so many of the moments, evenly spaced. */
function thinned(at: number[], most: number): number[] {
  const step = Math.max(1, Math.ceil(at.length / Math.max(1, Math.floor(most))));
  return at.filter((_, i) => i % step === 0);
}

export function DayChart({ days, decimals, symbol, label }: { days: Day[]; decimals: number; symbol: string; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [shade, tongue] = [theme.value, language.value];
  useEffect(() => {
    const box = place.current;
    if (box === null) return undefined;
    const plot = draw(box, days, decimals, symbol);
    const sized = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }));
    sized.observe(box);
    return () => {
      sized.disconnect();
      plot.destroy();
    };
  }, [days, decimals, symbol, shade, tongue]);
  return <div ref={place} class="day-chart" role="img" aria-label={label} />;
}
