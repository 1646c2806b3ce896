import { api, type Schemas } from "../../shared/api";
import { ask } from "../confirm";
import { days } from "../filters";
import { ListView } from "../list";
import { bound, may } from "../me";
import { Address, When } from "../parts";
import { t } from "../text";

/** Requests that a booking of capital is booked back, which a second person decides. */
function CorrectCapital({ of }: { of: Schemas["AuditRecord"] }) {
  const token = /^\d+ (\w+)/.exec(of.after ?? "")?.[1];
  if (of.action !== "capital.booked" || token === undefined || bound() || !may("balances:write")) return null;
  return (
    <button type="button" class="correct" onClick={() => ask({
      title: t("correct"), act: t("correct.act"), danger: true, text: "reason",
      children: <><p>{t("correct.capital.happens")}</p><p><code>{of.target}</code> {of.after}</p></>,
      run: (reason) => api.post("/admin/capital/correct", { once: true, body: { token, reference: of.target, reason } }),
      done: t("second.asked"),
    })}>{t("correct.act")}</button>
  );
}

/** Whether a record says that screeners refused something. */
function isRefusal({ action, after }: { action: string; after: string | null }): boolean {
  return action === "admission.decided" && after !== null && !after.startsWith("allow ");
}

function admit(key: string): void {
  ask({
    title: t("audit.admit"), act: t("audit.admit.act"), text: "reason", children: <p>{t("audit.admit.happens", { what: key })}</p>,
    run: (reason) => api.post("/admin/admission/overrule", { body: { key, reason } }),
    done: t("second.asked"),
  });
}

export default function Audit() {
  return (
    <ListView view="audit" path="/admin/audit" rows={(found) => found.records} explain={t("audit.explain")}
      title={t("nav.audit")} id={(each) => each.id} empty={t("audit.none")} columns={[
      { head: t("column.when"), cell: (each) => <When at={each.createdAt} /> },
      { head: t("column.action"), cell: (each) => <code>{each.action}</code> },
      { head: t("column.by"), cell: (each) => (each.by === null ? t("audit.service") : <Address of={each.by} />) },
      { head: t("column.target"), cell: (each) => <span class="long"><code>{each.target}</code></span> },
      { head: t("audit.before"), cell: (each) => <span class="long">{each.before ?? ""}</span> },
      { head: t("audit.after"), cell: (each) => <span class="long">{each.after ?? ""}</span> },
      { head: t("column.acts"), cell: (each) => <><CorrectCapital of={each} />{isRefusal(each) && may("balances:write") && <button type="button" class="admit" onClick={() => admit(each.target)}>{t("audit.admit.act")}</button>}</> },
    ]} filters={[
      { name: "by", label: t("column.by") }, { name: "target", label: t("column.target") }, { name: "action", label: t("column.action") },
      { name: "part", label: t("audit.part"), nothing: t("audit.admins"), options: [["players", t("audit.players")], ["all", t("filter.all")]] },
      ...days(),
    ]} />
  );
}
