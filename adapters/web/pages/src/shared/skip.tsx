import { t } from "./i18n";

/** Leads the keyboard past what stands above every page. */
export function Skip() {
  return <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById("main")?.focus(); }}>{t("skip")}</a>;
}
