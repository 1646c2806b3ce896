// What the receipts show against the service, above every part of the page.

import { t } from "../shared/i18n";
import { to } from "../shared/route";
import { session } from "../shared/session";
import { accused, changedKeys } from "./receipts";

export function Accused() {
  const found = session.value === null ? 0 : accused.value.length;
  if (found === 0 && changedKeys.value.length === 0) return null;
  return (
    <p class="panel accused" role="alert">
      <strong class="loss">{found > 0 ? t("receipts.found") : t("receipts.keys.changed", { names: changedKeys.value.join(", ") })}</strong>{" "}
      {session.value !== null && <a href={to("history")}>{t("receipts.show")}</a>}
    </p>
  );
}
