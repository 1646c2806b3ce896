import { signal } from "@preact/signals";
import type { Schemas } from "../shared/api";
import { Copied } from "../shared/copied";
import { Dialog } from "../shared/dialog";
import { t } from "./text";

/** Secrets that the service names only once, while they are shown. */
export const secrets = signal<{ title: string; of: Record<string, string> } | null>(null);
const close = () => (secrets.value = null);

/** Shows the credentials of an agent. */
export function showCredentials({ agent, token, secret }: Schemas["AgentCredentials"]): void {
  secrets.value = { title: t("agent.credentials", { code: agent.agentCode }), of: { [t("agent.token")]: token, [t("agent.secret")]: secret } };
}

/** The dialog with secrets; they can't be seen again after closing. */
export function Secrets() {
  if (secrets.value === null) return null;
  const { title, of } = secrets.value;
  return (
    <Dialog title={title} onClose={close}>
      <div id="secrets">
        <p class="refused">{t("secrets.once")}</p>
        {Object.entries(of).map(([name, secret]) => <div key={name}><h3>{name}</h3><Copied text={secret} label={name} /></div>)}
        <div class="row end"><button type="button" class="primary" onClick={close}>{t("secrets.kept")}</button></div>
      </div>
    </Dialog>
  );
}
