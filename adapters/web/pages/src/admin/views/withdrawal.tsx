// One withdrawal with the data an approver needs, and the decision.

import { api, type Schemas } from "../../shared/api";
import { to } from "../../shared/route";
import { atServerTime, session } from "../../shared/session";
import { ask } from "../confirm";
import { isToApprove, wasPaidBefore } from "../duties";
import { may, me } from "../me";
import { Address, Fact, Facts, Flag, Loading, Status, When } from "../parts";
import { readPast, type Past } from "../past";
import { PastView } from "../past-view";
import { useRead } from "../read";
import { amount } from "../store";
import { Table } from "../table";
import { counted, t } from "../text";

type Details = Schemas["WithdrawalDetails"];
type Player = Schemas["PlayerDetails"];

interface Found {
  details: Details;
  player: Player;
  past: Past;
}

export default function Withdrawal({ id }: { id: string }) {
  const [found, failure] = useRead(async (): Promise<Found> => {
    const details = await api.get("/admin/withdrawals/{id}", { path: { id } });
    const { wallet } = details.withdrawal;
    const [player, past] = await Promise.all([api.get("/admin/players/{wallet}", { path: { wallet } }), readPast(wallet)]);
    return { details, player, past };
  }, id);
  if (found === null) return <Loading failure={failure} />;
  const { details, player, past } = found;
  const { withdrawal } = details;
  return (
    <>
      <p><a href={to("withdrawals")}>← {t("nav.withdrawals")}</a></p>
      <h1>{amount(withdrawal.amount, withdrawal.token)} <Status of={withdrawal.status} /></h1>
      <Flags {...found} />
      <div class="panel" id="withdrawal">
        <Facts>
          <Fact name={t("column.player")}><a href={to("players", withdrawal.wallet)}><code>{withdrawal.wallet}</code></a> <Status of={player.status} /></Fact>
          <Fact name={t("column.destination")}><code>{withdrawal.destination}</code></Fact>
          <Fact name={t("column.requested")}><When at={withdrawal.createdAt} /></Fact>
          <Fact name={t("column.agent")}>{player.agentCode}</Fact>
          <Fact name={t("withdrawal.fee")}>{amount(withdrawal.fee, withdrawal.token)}</Fact>
          <Fact name={t("withdrawal.balance")}>{amount(player.balances.find((each) => each.token === withdrawal.token)?.balance ?? 0, withdrawal.token)}</Fact>
          {withdrawal.reason !== null && <Fact name={t("column.reason")}>{withdrawal.reason}</Fact>}
          {withdrawal.signature !== null && <Fact name={t("column.signature")}><code>{withdrawal.signature}</code></Fact>}
        </Facts>
        <Decision details={details} />
      </div>
      <h2>{t("withdrawal.approvals")}</h2>
      <Table title={t("withdrawal.approvals")} rows={details.approvals} id={(each) => each.by} empty={t("withdrawal.unapproved")} columns={[
        { head: t("column.by"), cell: (each) => <Address of={each.by} /> },
        { head: t("column.when"), cell: (each) => <When at={each.at} /> },
        { head: t("confirm.note"), cell: (each) => each.note ?? "" },
        { head: t("withdrawal.signed"), cell: (each) => (each.signature === null ? t("no") : t("yes")) },
      ]} />
      <PastView past={past} wallet={withdrawal.wallet} first={withdrawal.token} />
    </>
  );
}

/** Warnings for an approver, and checks that passed. */
function Flags({ details, player, past }: Found) {
  const { withdrawal } = details;
  const of = past.sums[withdrawal.token];
  const others = player.openWithdrawals.filter((each) => each.id !== withdrawal.id).length;
  const known = wasPaidBefore(withdrawal, past.transactions);
  const owed = player.owed.find((each) => each.token === withdrawal.token);
  return (
    <ul class="flags" aria-label={t("flags")}>
      {player.status === "frozen" && <Flag kind="bad">{t("flag.frozen")}</Flag>}
      {player.status === "excluded" && <Flag kind="warn">{t("flag.excluded")}</Flag>}
      {owed !== undefined && <Flag kind="bad">{t("flag.owed", { amount: amount(owed.balance, owed.token) })}</Flag>}
      {withdrawal.destinationIsOwner ? <Flag kind="good">{t("flag.own")}</Flag> : <Flag kind="warn">{t("flag.foreign")}</Flag>}
      {known ? <Flag kind="good">{t("flag.known")}</Flag> : <Flag kind="warn">{t(past.cut.transactions ? "flag.new.lately" : "flag.new")}</Flag>}
      {(of === undefined || of.deposits === 0) && !past.cut.transactions && <Flag kind="bad">{t("flag.undeposited")}</Flag>}
      {of !== undefined && of.rounds === 0 && !past.cut.rounds && <Flag kind="warn">{t("flag.unplayed")}</Flag>}
      {of !== undefined && of.adjusted > 0n && <Flag kind="warn">{t("flag.adjusted", { amount: amount(of.adjusted, withdrawal.token) })}</Flag>}
      {others > 0 && <Flag kind="warn">{counted("flag.others", others)}</Flag>}
    </ul>
  );
}

function approve(details: Details, note: string) {
  const { withdrawal, treasury, signatureRequired } = details;
  const decision = { id: withdrawal.id, ...(note !== "" && { note }) };
  const account = session.value?.account;
  const signed = async (timestamp: number) => {
    if (!signatureRequired || account === undefined) return {};
    const text = ["casino-approve", treasury, withdrawal.id, withdrawal.token, withdrawal.amount, withdrawal.destination, timestamp].join(":");
    return { timestamp, signature: await account.sign(text) };
  };
  return atServerTime(async (timestamp) => api.post("/admin/withdraw/approve", { once: true, body: { ...decision, ...(await signed(timestamp)) } }));
}

function Decision({ details }: { details: Details }) {
  const { withdrawal, approvals } = details;
  const what = amount(withdrawal.amount, withdrawal.token);
  const wallet = me.value?.wallet ?? "";
  const mine = approvals.some((each) => each.by === wallet);
  const open = withdrawal.status === "pending" || withdrawal.status === "failed";
  const refusable = open || withdrawal.status === "approved";
  const approves = may("withdraw:approve") && open;
  const rejects = may("withdraw:reject") && refusable;
  if (!approves && !rejects) return null;
  return (
    <div class="row decision">
      {approves && isToApprove(withdrawal, approvals, wallet) && (
        <button type="button" id="approve" class="primary" onClick={() => ask({
          title: t("withdrawal.approve"), act: t("approve"), text: "note",
          children: (
            <>
              <p>{t("withdrawal.approve.happens", { amount: what })}</p>
              <p><code>{withdrawal.destination}</code></p>
              {details.signatureRequired && <p class="muted">{t("withdrawal.sign")}</p>}
            </>
          ),
          run: (note) => approve(details, note),
          done: (decided) => t(decided.withdrawal.status === "approved" ? "withdrawal.approved" : "withdrawal.second"),
        })}>{t("approve")}</button>
      )}
      {approves && mine && <p class="muted">{t("withdrawal.mine")}</p>}
      {rejects && (
        <button type="button" id="reject" class="danger" onClick={() => ask({
          title: t("withdrawal.reject"), act: t("reject"), danger: true, text: "reason",
          children: <p>{t("withdrawal.reject.happens", { amount: what })}</p>,
          run: (reason) => api.post("/admin/withdraw/reject", { once: true, body: { id: withdrawal.id, reason } }),
          done: t("withdrawal.rejected"),
        })}>{t("reject")}</button>
      )}
    </div>
  );
}
