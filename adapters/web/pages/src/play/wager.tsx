// The amount of a bet, with half, double and maximum.

import { useState } from "preact/hooks";
import { AmountInput } from "../shared/amount-input";
import { language, t } from "../shared/i18n";
import { keep, kept } from "../shared/kept";
import { entry } from "../shared/money";
import { session } from "../shared/session";
import { Sure } from "../shared/sure";
import { running } from "./auto";
import { amount, shownBalance, token, type Terms } from "./store";
import type { Seat } from "./seat";

/** Sets the wager to a changed one, within the token's limits. */
export function changeWager(seat: Seat, of: Terms, by: (units: bigint) => bigint): void {
  const next = by(seat.staked() ?? 0n);
  const [least, most] = [BigInt(of.minWager), BigInt(of.maxWager)];
  seat.wager.value = entry(next < least ? least : next > most ? most : next, of.decimals, language.value);
}

const ASKED = "casino.max";

export function Wager({ seat, fixed }: { seat: Seat; fixed?: bigint }) {
  const [asks, setAsks] = useState(false);
  const of = token.value;
  if (of === null) return null;
  const locked = running.value !== null;
  const most = shownBalance(of.token) < BigInt(of.maxWager) ? shownBalance(of.token) : BigInt(of.maxWager);
  const max = () => {
    keep(ASKED, "yes");
    changeWager(seat, of, () => most);
  };
  return (
    <>
      <AmountInput label={t("wager")} symbol={of.symbol} decimals={of.decimals} class="wager" hint={null} min={of.minWager} max={of.maxWager}
        {...(session.value !== null && { available: shownBalance(of.token) })} disabled={locked} readOnly={fixed !== undefined}
        value={fixed === undefined ? seat.wager.value : entry(fixed, of.decimals, language.value)} onInput={(text) => (seat.wager.value = text)}>
        {fixed === undefined && (
          <>
            <button type="button" disabled={locked} onClick={() => changeWager(seat, of, (units) => units / 2n)} aria-label={t("wager.half")}>½</button>
            <button type="button" disabled={locked} onClick={() => changeWager(seat, of, (units) => units * 2n)} aria-label={t("wager.double")}>2×</button>
            <button type="button" disabled={locked || most < BigInt(of.minWager)} onClick={() => (kept(ASKED) === null ? setAsks(true) : max())} aria-label={t("wager.max")}>{t("max")}</button>
          </>
        )}
      </AmountInput>
      {asks && (
        <Sure title={t("max.title")} yes={t("max.yes")} no={t("max.no")} onYes={max} onClose={() => setAsks(false)}>{t("max.explain", { amount: amount(most, of.token) })}</Sure>
      )}
    </>
  );
}
