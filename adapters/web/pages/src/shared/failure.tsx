import { t } from "./i18n";
import { explain, rawOf } from "./notices";

/** What the service, a wallet or the chain said itself, for whoever wants to know or asks support. */
export function Raw({ text }: { text: string | undefined }) {
  return text === undefined ? null : <details><summary>{t("error.details")}</summary><code lang="en">{text}</code></details>;
}

/** A failure beside what failed, read out at once. */
export function Failure({ of }: { of: unknown }) {
  return <div class="refused" role="alert">{explain(of)}<Raw text={rawOf(of)} /></div>;
}
