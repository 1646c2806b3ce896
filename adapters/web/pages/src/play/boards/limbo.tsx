import { t } from "../../shared/i18n";
import type { Table } from "../table";
import { Multiplier } from "./multiplier";

export default function Limbo({ table }: { table: Table }) {
  return <Multiplier table={table} field="target" label={t("limbo.target")} max={10000} outcome="multiplier" />;
}
