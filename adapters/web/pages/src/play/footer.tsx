import { served } from "../shared/config";
import { t } from "../shared/i18n";
import { Switches } from "../shared/switches";

export function Footer() {
  return (
    <footer class="foot">
      <p class="muted">{t("foot.responsible")} <a href="#/limits">{t("nav.limits")}</a></p>
      <div class="switches">
        <Switches />
        <a href={`${served.path}/verify`}>{t("verify.title")}</a>
        <a href={`${served.base}/docs`}>{t("foot.api")}</a>
      </div>
    </footer>
  );
}
