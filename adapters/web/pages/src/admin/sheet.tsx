import { useState } from "preact/hooks";
import { complain } from "../shared/notices";
import { t } from "./text";

/** Saves a list of the service as CSV. */
export function Sheet({ name, read }: { name: string; read: () => Promise<string> }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      download(`${name}.csv`, "text/csv", await read());
    } catch (failure) {
      complain(failure);
    }
    setBusy(false);
  };
  return <button type="button" class="sheet" disabled={busy} onClick={save}>{t("sheet")}</button>;
}

/** Saves a text as a file. */
function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
