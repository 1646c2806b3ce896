// Shared state of the console: tokens, and events while it is open.

import { computed, effect, signal } from "@preact/signals";
import { api, type Schemas } from "../shared/api";
import { listen, type Heard } from "../shared/events";
import { refresh } from "../shared/happened";
import { language } from "../shared/i18n";
import { insist } from "../shared/insist";
import type { Integer } from "@casino-service/client";
import { written } from "../shared/money";
import { knowTokens } from "../shared/notices";
import { me, readRole } from "./me";

export type Terms = Schemas["TokenTerms"];

export const tokens = signal<Terms[]>([]);

export function terms(mint: string): Terms | undefined {
  return tokens.value.find((each) => each.token === mint);
}

export function symbol(mint: string): string {
  return terms(mint)?.symbol ?? `${mint.slice(0, 4)}…`;
}

/** An amount with the sign of its token, exactly. */
export function amount(units: Integer, mint: string): string {
  const of = terms(mint);
  return of === undefined ? `${units} ${symbol(mint)}` : `${written(units, of.decimals, language.value)} ${of.symbol}`;
}

/** All types but bets and their balances, of which there may be hundreds a second. */
const TYPES = [
  "deposit.review", "deposit.credited", "deposit.rejected", "deposit.resolved", "withdrawal.requested", "withdrawal.voted", "withdrawal.approved",
  "withdrawal.hindered", "withdrawal.sending", "withdrawal.expired", "withdrawal.completed", "withdrawal.failed", "withdrawal.rejected",
  "withdrawal.cancelled", "provider.reviewed", "player.created", "player.limited", "player.excluded", "player.frozen", "player.released",
  "player.rebound", "approval.opened", "approval.decided", "role.granted", "role.revoked", "agent.created", "agent.changed", "agent.deleted",
  "agent.credentials_rotated", "webhook.changed", "funds.booked", "funds.limited", "delivery.decided", "game.switched", "branding.changed",
  "play.paused", "play.resumed", "payouts.paused", "payouts.resumed", "win.large", "treasury.accepted",
  "alarm.raised", "alarm.acknowledged", "alarm.cleared",
];

function hear(event: Heard): void {
  if (event.type.startsWith("casino.role")) readRole();
  refresh();
}

/** The signed-in admin as a text: reading the same role again changes nothing here. */
export const here = computed(() => (me.value === null ? null : `${me.value.wallet} ${me.value.role}`));

export function beginStore(): void {
  knowTokens((mint) => (mint === undefined ? undefined : terms(mint)));
  void insist(async () => void (tokens.value = (await api.get("/public/tokens")).tokens));
  effect(() => {
    if (here.value === null) return undefined;
    const until = new AbortController();
    void listen(until.signal, refresh, hear, `/admin/events?types=${TYPES.join(",")}`);
    return () => until.abort();
  });
}
