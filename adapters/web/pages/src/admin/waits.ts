// What waits for the signed-in admin: decisions that the role allows and the admin hasn't made.

import { effect, signal } from "@preact/signals";
import { api } from "../shared/api";
import { happened } from "../shared/happened";
import { complain } from "../shared/notices";
import { to } from "../shared/route";
import { isOldEnough, isSecond, isToApprove } from "./duties";
import { filtered } from "./filters";
import { bound, may, me } from "./me";
import { here } from "./store";
import type { Counted } from "./text";

interface Found {
  count: number;
  /** Whether there may be more than were read. */
  more?: boolean;
}

export interface Wait extends Found {
  /** The section with them. */
  section: string;
  text: Counted;
  href: string;
}

const LIMIT = 100; // rows that are looked at one by one

export const waits = signal<readonly Wait[] | null>(null);

async function total(list: Promise<{ total: number; totalCapped?: boolean }>): Promise<Found> {
  const found = await list;
  return { count: Number(found.total), more: found.totalCapped === true };
}

/** Withdrawals that this admin may approve and hasn't. One that was never changed has no approval,
 * so only the others are looked up. */
async function toApprove(status: "pending" | "failed", wallet: string): Promise<Found> {
  const found = await api.get("/admin/transactions", { query: { type: "withdrawal", status, limit: LIMIT } });
  const open = await Promise.all(found.transactions.map(async (each) => {
    if (each.wallet === wallet || each.updatedAt === each.createdAt) return each.wallet !== wallet;
    const { approvals } = await api.get("/admin/withdrawals/{id}", { path: { id: each.id } });
    return isToApprove(each, approvals, wallet);
  }));
  return { count: open.filter(Boolean).length, more: found.nextCursor !== null };
}

async function asSecond(wallet: string): Promise<Found> {
  const found = await api.get("/admin/approvals", { query: { limit: LIMIT } });
  return { count: found.approvals.filter((each) => isSecond(each, wallet, may)).length, more: found.nextCursor !== null };
}

async function openAlarms(): Promise<Found> {
  const found = await api.get("/admin/alarms", { query: { state: "open", limit: LIMIT } });
  return { count: found.alarms.filter((each) => each.acknowledgedAt === null).length, more: found.nextCursor !== null };
}

async function read(wallet: string): Promise<Wait[]> {
  const one = { limit: 1 };
  const old = isOldEnough(await api.get("/admin/roles/{wallet}", { path: { wallet } }), Date.now());
  const money = old && may("balances:write");
  const payouts = old && may("withdraw:approve");
  const kinds: [may: boolean, section: string, text: Counted, href: string, read: () => Promise<Found>][] = [
    [may("admin:write"), "alarms", "waits.alarms", to("alarms"), openAlarms],
    [payouts, "withdrawals", "waits.withdrawals", to("withdrawals"), () => toApprove("pending", wallet)],
    [payouts, "withdrawals", "waits.failed", filtered("withdrawals", { status: "failed" }), () => toApprove("failed", wallet)],
    [money || payouts, "approvals", "waits.approvals", to("approvals"), () => asSecond(wallet)],
    [money, "transactions", "waits.deposits", filtered("transactions", { type: "deposit", status: "review" }),
      () => total(api.get("/admin/transactions", { query: { ...one, type: "deposit", status: "review" } }))],
    [money, "provider", "waits.reviews", to("provider"), () => total(api.get("/admin/provider-reviews", { query: one }))],
    [may("roles:write"), "provider", "waits.routes", filtered("provider", { status: "rejected" }),
      () => total(api.get("/admin/provider-routes", { query: { ...one, status: "rejected" } }))],
    [money && !bound(), "unclaimed", "waits.unclaimed", to("unclaimed"), () => total(api.get("/admin/unclaimed", { query: one }))],
  ];
  const all = await Promise.all(kinds.filter(([allowed]) => allowed).map(async ([, section, text, href, find]) => ({ section, text, href, ...(await find()) })));
  return all.filter((each) => each.count > 0 || each.more === true);
}

/** How many wait in a section. */
export function waitingIn(section: string): number {
  return (waits.value ?? []).filter((each) => each.section === section).reduce((sum, each) => sum + each.count, 0);
}

export function beginWaits(): void {
  effect(() => {
    here.value;
    waits.value = null;
  });
  effect(() => {
    happened.value;
    const of = here.value;
    const wallet = me.peek()?.wallet;
    if (of === null || wallet === undefined) return;
    read(wallet).then((found) => {
      if (of === here.peek()) waits.value = found;
    }, complain);
  });
}
