// Requests that a second person decides: credits, deposits in review, payouts to be resumed.

import { api, type Schemas } from "../../shared/api";
import { ask } from "../confirm";
import { decides, isSecond } from "../duties";
import { ListView } from "../list";
import { may, me } from "../me";
import { Address, When } from "../parts";
import { amount } from "../store";
import { t, type Text } from "../text";

type Approval = Schemas["Approval"];

const KINDS: Record<Approval["kind"], Text> = {
  adjustment: "approval.adjustment", deposit: "approval.deposit", "payouts.resume": "approval.payouts", "operator.funds": "approval.funds",
  "provider.win": "approval.win", unclaimed: "approval.unclaimed", correction: "approval.correction", "correction.capital": "approval.capital", admission: "approval.admission",
};

/** The request in one line. */
function about({ request }: Approval) {
  return (
    <>
      {request.amount !== null && request.token !== null && <strong>{amount(request.amount, request.token)} </strong>}
      {request.admission !== undefined && <span class="long"><code>{request.admission}</code> </span>}
      {request.wallet !== null ? <Address of={request.wallet} link /> : request.agentCode}
    </>
  );
}

function decide(approval: Approval, approve: boolean): void {
  const { request } = approval;
  ask({
    title: t(approve ? "approval.approve" : "approval.reject"), act: t(approve ? "approve" : "reject"), danger: !approve,
    children: (
      <>
        <p>{t(approve ? "approval.approve.happens" : "approval.reject.happens")}</p>
        <p><strong>{t(KINDS[approval.kind])}</strong> {request.amount !== null && request.token !== null && amount(request.amount, request.token)} {request.wallet === null && request.agentCode}</p>
        {request.wallet !== null && <p><code>{request.wallet}</code></p>}
        {request.signature !== null && <p>{t("column.signature")} <code>{request.signature}</code></p>}
        {request.sender !== null && <p><code>{request.sender}</code></p>}
        {request.corrects !== null && <p>{t("correct.of")} <code>{request.corrects}</code></p>}
        {request.reason !== null && <p>{t("column.reason")}: {request.reason}</p>}
      </>
    ),
    run: () => api.post("/admin/approvals/{id}", { path: { id: approval.id }, once: true, body: { approve } }),
    done: t(approve ? "approval.approved" : "approval.rejected"),
  });
}

/** The requester may withdraw the request; another admin approves it. */
function Decision({ approval }: { approval: Approval }) {
  if (!may(decides(approval.kind))) return null;
  const mine = !isSecond(approval, me.value?.wallet ?? "", may);
  return (
    <span class="row acts">
      {mine ? <span class="muted">{t("approval.mine")}</span> : <button type="button" class="primary approve" onClick={() => decide(approval, true)}>{t("approve")}</button>}
      <button type="button" class="reject" onClick={() => decide(approval, false)}>{t("reject")}</button>
    </span>
  );
}

export default function Approvals() {
  return (
    <ListView view="approvals" path="/admin/approvals" rows={(found) => found.approvals} explain={t("approvals.explain")}
      title={t("nav.approvals")} id={(each) => each.id} empty={t("approvals.none")} columns={[
      { head: t("column.when"), cell: (each) => <When at={each.createdAt} /> },
      { head: t("column.kind"), cell: (each) => t(KINDS[each.kind]) },
      { head: t("column.about"), cell: about },
      { head: t("column.reason"), cell: (each) => <span class="long">{each.request.reason ?? ""}</span> },
      { head: t("column.by"), cell: (each) => <Address of={each.by} /> },
      { head: t("column.until"), cell: (each) => <When at={each.expiresAt} /> },
      { head: t("column.acts"), cell: (each) => <Decision approval={each} /> },
    ]} />
  );
}
