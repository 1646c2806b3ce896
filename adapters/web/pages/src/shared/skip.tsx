import { t } from "./i18n";

/** Lets keyboard users skip the header of every page. */
export function Skip() {
  return <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById("main")?.focus(); }}>{t("skip")}</a>;
}
