import { useBusy } from "../shared/busy";
import { save } from "../shared/save";
import { t } from "./text";

/** Saves a list of the service as CSV. */
export function Sheet({ name, read }: { name: string; read: () => Promise<string> }) {
  const [busy, run] = useBusy();
  return <button type="button" class="sheet" disabled={busy} onClick={() => run(async () => save(`${name}.csv`, await read()))}>{t("sheet")}</button>;
}
