// Values by day as a chart with axes, and as a table for those who can't see it or want the exact
// values. The library is loaded with the first chart.

import { useEffect, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import { language } from "../shared/i18n";
import type { Integer } from "../shared/json";
import { decimal } from "../shared/money";
import { complain } from "../shared/notices";
import { dark } from "../shared/theme";
import { Table, type Column } from "./table";
import { t } from "./text";
import "./chart.css";

export interface Bar {
  /** A day, such as 2026-11-23. */
  day: string;
  value: Integer;
  /** The exact value with its unit. */
  text: string;
}

interface Props {
  label: string;
  bars: readonly Bar[];
  /** Decimals of the unit that the axis counts in. */
  decimals: number;
  /** The columns of the table beside the day, by the day's place. */
  columns: Column<number>[];
}

const HEIGHT = 260;
const BAR = [0.7, 48] as const; // of a day's width, and pixels at most
const LETTER = 7; // pixels, about

function name(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(language.value, { timeZone: "UTC", day: "numeric", month: "short" });
}

/** Draws the chart into an element, and returns what takes it away. */
async function draw(into: HTMLElement, label: string, bars: readonly Bar[], decimals: number): Promise<() => void> {
  const [{ default: Plot }] = await Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]);
  const colour = (of: string) => {
    into.style.color = `var(--${of})`;
    return getComputedStyle(into).color;
  };
  const [text, line, above, below] = [colour("muted"), colour("line"), colour("accent-text"), colour("loss")];
  into.style.color = "";
  const short = new Intl.NumberFormat(language.value, { notation: "compact", maximumFractionDigits: 2 });
  const values = bars.map((bar) => Number(decimal(bar.value, decimals)));
  const fills = values.map((value) => (value < 0 ? below : above));
  const axis = { stroke: text, font: "13px system-ui, sans-serif", grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const options: uPlot.Options = {
    width: into.clientWidth, height: HEIGHT, cursor: { y: false, drag: { setScale: false } },
    scales: { x: { time: false, range: [-0.6, bars.length - 0.4] }, y: { range: { min: { soft: 0, mode: 1, pad: 0.1 }, max: { soft: 0, mode: 1, pad: 0.1 } } } },
    axes: [
      { ...axis, incrs: [1, 2, 5, 7, 10, 14, 30, 60], space: 70, values: (_, at) => at.map((each) => (bars[each] === undefined ? "" : name(bars[each].day))) },
      { ...axis, values: (_, at) => at.map((each) => short.format(each).replace("-", "−")), size: (_, shown) => 18 + LETTER * Math.max(3, ...(shown ?? []).map((each) => each.length)) },
    ],
    series: [
      { label: t("column.day"), value: (_, __, ___, at) => (at === null ? "–" : name(bars[at]?.day ?? "")) },
      {
        label, width: 0, points: { show: false }, value: (_, __, ___, at) => (at === null ? "–" : bars[at]?.text ?? "–"),
        paths: Plot.paths.bars!({ size: [...BAR], disp: { fill: { unit: 3, values: () => fills } } }),
      },
    ],
  };
  const plot = new Plot(options, [bars.map((_, at) => at), values], into);
  const seen = new ResizeObserver(() => plot.setSize({ width: into.clientWidth, height: HEIGHT }));
  seen.observe(into);
  return () => {
    seen.disconnect();
    plot.destroy();
  };
}

/** Whether the page is dark now: a chart's colours are its pixels. */
function useDark(): boolean {
  const [, again] = useState(0);
  useEffect(() => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => again((n) => n + 1);
    system.addEventListener("change", changed);
    return () => system.removeEventListener("change", changed);
  }, []);
  return dark();
}

export function Chart({ label, bars, decimals, columns }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const played = bars.some((bar) => BigInt(bar.value) !== 0n);
  const what = JSON.stringify([label, decimals, language.value, bars.map((bar) => [bar.day, bar.text])]);
  const isDark = useDark();
  useEffect(() => {
    let [ended, end] = [false, () => {}];
    if (box.current !== null) draw(box.current, label, bars, decimals).then((undo) => (ended ? undo() : (end = undo)), complain);
    return () => {
      ended = true;
      end();
    };
  }, [what, played, isDark]);
  if (!played) return <p class="muted">{t("chart.none")}</p>;
  return (
    <figure class="chart">
      <div ref={box} class="plot" role="img" aria-label={label} />
      <details>
        <summary>{t("chart.table")}</summary>
        <Table title={label} rows={bars.map((_, at) => at)} id={(at) => bars[at]?.day ?? ""} empty={t("chart.none")}
          columns={[{ head: t("column.day"), cell: (at) => name(bars[at]?.day ?? "") }, ...columns]} />
      </details>
    </figure>
  );
}
