import { Dialog } from "../shared/dialog";
import { Copied } from "./parts";
import { t } from "./text";

/** Secrets that the service shows only once; they can't be seen again after closing. */
export function Secrets({ title, of, onClose }: { title: string; of: Record<string, string>; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div id="secrets">
        <p class="refused">{t("secrets.once")}</p>
        {Object.entries(of).map(([name, secret]) => <div key={name}><h3>{name}</h3><Copied text={secret} label={name} /></div>)}
        <div class="row end"><button type="button" class="primary" onClick={onClose}>{t("secrets.kept")}</button></div>
      </div>
    </Dialog>
  );
}
