import { useState } from "preact/hooks";
import { t } from "./i18n";
import { complain, Told } from "./notices";

const SHOWN_MS = 2000;

/** A long value, such as an address or a hash, and a button that copies it. */
export function Copied({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return complain(new Told(t("copy.failed"))); // there is no clipboard in a page over plain HTTP
    }
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <span class="copied">
      <code>{text}</code>
      <button type="button" aria-label={t("copy.what", { what: label })} onClick={copy}><span role="status">{t(copied ? "copy.done" : "copy.do")}</span></button>
    </span>
  );
}
