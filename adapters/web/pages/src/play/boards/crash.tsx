import { t } from "../../shared/i18n";
import type { Table } from "../table";
import { Multiplier } from "./multiplier";

export default function Crash({ table }: { table: Table }) {
  return <Multiplier table={table} field="cashout" label={t("crash.cashout")} max={1000000} outcome="crash" />;
}
