// Values by day as bars with axes; a table beside it has the exact ones. The library is loaded with
// the first chart.

import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import "./day-chart.css";
import { language, t } from "./i18n";
import { decimal, type Integer } from "./money";
import { complain } from "./notices";
import { dark } from "./theme";

export interface Bar {
  /** A day, such as 2026-11-23. */
  day: string;
  value: Integer;
  /** The exact value with its unit. */
  text: string;
}

interface Props {
  /** What is shown, for screen readers. */
  label: string;
  /** The name of the values. */
  name: string;
  bars: readonly Bar[];
  /** Decimals of the unit that the axis counts in. */
  decimals: number;
  /** The colour of bars above zero; those below have the colour of losses. */
  above: "accent-text" | "gain";
}

const HEIGHT = 260;
const BAR = [0.7, 48] as const; // of a day's width, and pixels at most
const LETTER = 7; // pixels, about

export function nameOfDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(language.value, { timeZone: "UTC", day: "numeric", month: "short" });
}

/** Draws the chart into an element, and returns what takes it away. */
async function draw(into: HTMLElement, { name, bars, decimals, above }: Props): Promise<() => void> {
  const [{ default: Plot }] = await Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]);
  const colour = (of: string) => {
    into.style.color = `var(--${of})`;
    return getComputedStyle(into).color;
  };
  const [text, line, gain, loss] = [colour("muted"), colour("line"), colour(above), colour("loss")];
  into.style.color = "";
  const short = new Intl.NumberFormat(language.value, { notation: "compact", maximumSignificantDigits: 3 });
  const values = bars.map((bar) => Number(decimal(bar.value, decimals)));
  const fills = values.map((value) => (value < 0 ? loss : gain));
  const axis = { stroke: text, font: "13px system-ui, sans-serif", grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const options: uPlot.Options = {
    width: into.clientWidth, height: HEIGHT, cursor: { y: false, drag: { setScale: false } },
    scales: { x: { time: false, range: [-0.6, bars.length - 0.4] }, y: { range: { min: { soft: 0, mode: 1, pad: 0.1 }, max: { soft: 0, mode: 1, pad: 0.1 } } } },
    axes: [
      { ...axis, incrs: [1, 2, 5, 7, 10, 14, 30, 60], space: 70, values: (_, at) => at.map((each) => (bars[each] === undefined ? "" : nameOfDay(bars[each].day))) },
      { ...axis, values: (_, at) => at.map((each) => short.format(each).replace("-", "−")), size: (_, shown) => 22 + LETTER * Math.max(3, ...(shown ?? []).map((each) => each.length)) },
    ],
    series: [
      { label: t("column.day"), value: (_, __, ___, at) => (at === null ? "–" : nameOfDay(bars[at]?.day ?? "")) },
      {
        label: name, width: 0, points: { show: false }, value: (_, __, ___, at) => (at === null ? "–" : bars[at]?.text ?? "–"),
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

export function DayChart(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { name, bars, decimals, label } = props;
  const what = JSON.stringify([name, decimals, language.value, dark(), bars.map((bar) => [bar.day, bar.text])]);
  useEffect(() => {
    let [ended, end] = [false, () => {}];
    if (box.current !== null) draw(box.current, props).then((undo) => (ended ? undo() : (end = undo)), complain);
    return () => {
      ended = true;
      end();
    };
  }, [what]);
  return <div ref={box} class="day-chart" role="img" aria-label={label} />;
}
