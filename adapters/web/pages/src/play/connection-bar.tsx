import { connected } from "../shared/connection";
import { t } from "../shared/i18n";
import "./connection-bar.css";

/** Stands above the page while the service can't be reached, and goes by itself. */
export function ConnectionBar() {
  return <div class="connection" role="alert">{!connected.value && <p>{t("connection.lost")}</p>}</div>;
}
