import { DayChart, nameOfDay, type Bar } from "../shared/day-chart";
import { Table, type Column } from "./table";
import { t } from "./text";

interface Props {
  label: string;
  bars: readonly Bar[];
  decimals: number;
  /** The columns of the table beside the day, by the day's place. */
  columns: Column<number>[];
}

/** A chart of days, and a table for those who can't see it or want the exact values. */
export function Chart({ label, bars, decimals, columns }: Props) {
  if (bars.every((bar) => BigInt(bar.value) === 0n)) return <p class="muted">{t("chart.none")}</p>;
  return (
    <figure class="chart">
      <DayChart label={label} name={label} bars={bars} decimals={decimals} above="accent-text" />
      <details>
        <summary>{t("chart.table")}</summary>
        <Table title={label} rows={bars.map((_, at) => at)} id={(at) => bars[at]?.day ?? ""} empty={t("chart.none")}
          columns={[{ head: t("column.day"), cell: (at) => nameOfDay(bars[at]?.day ?? "") }, ...columns]} />
      </details>
    </figure>
  );
}
