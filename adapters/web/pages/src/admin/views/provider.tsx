// Providers' wins that wait for a decision, and deliveries to agents' sites.

import { api, type Schemas } from "../../shared/api";
import { maybe } from "../../shared/i18n";
import { ask } from "../confirm";
import { List } from "../list";
import { may } from "../me";
import { Address, Status, When } from "../parts";
import { useRead } from "../read";
import { amount } from "../store";
import { Sheet } from "../sheet";
import { Table } from "../table";
import { t } from "../text";

type Review = Schemas["ProviderReview"];
type Route = Schemas["ProviderRoute"];

const SHOWN = 100;
const ENDED = new Set<Route["status"]>(["paid", "declined", "reversed", "delivered", "closed"]);

function decide(review: Review, pay: boolean): void {
  ask({
    title: t(pay ? "review.pay" : "review.refuse"), act: t(pay ? "review.pay.act" : "review.refuse.act"), danger: !pay, text: "reason",
    children: <p>{t(pay ? "review.pay.happens" : "review.refuse.happens", { amount: amount(review.amount, review.token) })}</p>,
    run: (reason) => api.post("/admin/provider-reviews/{id}", { path: { id: review.id }, body: { pay, reason } }),
    done: (done) => t("approval" in done ? "second.asked" : "review.decided"),
  });
}

function act(route: Route, action: "resend" | "close"): void {
  const resend = action === "resend";
  ask({
    title: t(resend ? "route.resend" : "route.close"), act: t(resend ? "route.resend.act" : "route.close.act"), danger: !resend, text: "reason",
    children: <p>{t(resend ? "route.resend.happens" : "route.close.happens", { amount: amount(route.amount, route.token) })}</p>,
    run: (reason) => api.post("/admin/provider-routes/{id}", { path: { id: route.id }, body: { action, reason } }),
    done: t("route.decided"),
  });
}

export default function Provider() {
  const [reviews, failure] = useRead(() => api.get("/admin/provider-reviews", { query: { limit: SHOWN } }));
  const statuses = ["asking", "unknown", "reversing", "delivering", "rejected", "closed"];
  return (
    <>
      <h1>{t("nav.provider")}</h1>
      <h2>{t("review.title")}</h2>
      <p class="muted">{t("review.explain")}</p>
      <Table title={t("review.title")} rows={reviews?.reviews ?? null} id={(each) => each.id} empty={t("review.none")} failure={failure} columns={[
        { head: t("column.when"), cell: (each) => <When at={each.createdAt} /> },
        { head: t("column.game"), cell: (each) => `${each.provider} ${each.gameCode}` },
        { head: t("column.player"), cell: (each) => <Address of={each.wallet} link /> },
        { head: t("column.agent"), cell: (each) => each.agentCode },
        { head: t("amount"), number: true, cell: (each) => amount(each.amount, each.token) },
        { head: t("column.reason"), cell: (each) => maybe(`review.${each.reason}`) ?? each.reason },
        {
          head: t("column.acts"), cell: (each) => (may("balances:write") ? (
            <span class="row acts">
              <button type="button" class="pay" onClick={() => decide(each, true)}>{t("review.pay.act")}</button>
              <button type="button" class="refuse" onClick={() => decide(each, false)}>{t("review.refuse.act")}</button>
            </span>
          ) : ""),
        },
      ]} />
      <p class="row"><Sheet name="provider-reviews" read={() => api.sheet("/admin/provider-reviews")} /></p>
      <h2>{t("route.title")}</h2>
      <p class="muted">{t("route.explain")}</p>
      <List view="provider" path="/admin/provider-routes" rows={(found) => found.routes} asked={{ status: "open" }} title={t("route.title")} id={(each) => each.id} empty={t("route.none")} columns={[
        { head: t("column.when"), cell: (each) => <When at={each.createdAt} /> },
        { head: t("column.agent"), cell: (each) => each.agentCode },
        { head: t("route.site"), cell: (each) => <span class="long">{each.siteEndpoint}</span> },
        { head: t("column.kind"), cell: (each) => t(each.leg === "debit" ? "route.debit" : "route.credit") },
        { head: t("amount"), number: true, cell: (each) => amount(each.amount, each.token) },
        { head: t("column.player"), cell: (each) => <Address of={each.wallet} link /> },
        { head: t("column.status"), cell: (each) => <Status of={each.status} /> },
        {
          head: t("column.acts"), cell: (each) => (may("roles:write") && !ENDED.has(each.status) ? (
            <span class="row acts">
              <button type="button" onClick={() => act(each, "resend")}>{t("route.resend.act")}</button>
              <button type="button" onClick={() => act(each, "close")}>{t("route.close.act")}</button>
            </span>
          ) : ""),
        },
      ]} filters={[
        { name: "status", label: t("column.status"), nothing: t("route.open"), options: statuses.map((each) => [each, maybe(`status.${each}`) ?? each]) },
        { name: "agentCode", label: t("column.agent") },
      ]} />
    </>
  );
}
