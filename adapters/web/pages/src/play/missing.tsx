import { served } from "../shared/config";
import { t } from "../shared/i18n";

/** The page for unknown links. */
export function Missing() {
  return (
    <div class="panel missing">
      <p class="huge" aria-hidden="true">404</p>
      <h1>{t("missing.title")}</h1>
      <p class="muted">{t("missing.explain")}</p>
      <a class="button primary" href={`${served.path}/`}>{t("missing.back")}</a>
    </div>
  );
}
