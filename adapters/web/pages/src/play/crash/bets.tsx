// All bets on the present round, by pseudonyms, and their cash-outs as they happen.

import { t, times } from "../../shared/i18n";
import { amount } from "../store";
import { outAt, payoutAt, type CrashBet, type Known } from "./news";
import { own, result } from "./store";

const SHOWN = 100;

export function Bets({ of: { bets, round }, height }: { of: Known; height: number }) {
  const mine = own.value?.id ?? result.value?.id;
  const all = [...bets.values()].reverse().sort((one, other) => Number(other.id === mine) - Number(one.id === mine));
  const title = t("crash.bets", { count: all.length });
  return (
    <>
      <h2>{title}</h2>
      <div class="scroll panel crash-bets" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("column.player")}</th>
              <th scope="col" class="number">{t("wager")}</th>
              <th scope="col" class="number">{t("column.times")}</th>
              <th scope="col" class="number">{t("column.payout")}</th>
            </tr>
          </thead>
          <tbody>
            {all.slice(0, SHOWN).map((bet) => <Line key={bet.id} bet={bet} mine={bet.id === mine} out={round?.status === "cancelled" ? null : outAt(bet, height)} />)}
            {all.length === 0 && <tr><td colSpan={4} class="muted">{t("crash.bets.none")}</td></tr>}
            {all.length > SHOWN && <tr><td colSpan={4} class="muted">{t("crash.bets.more", { count: all.length - SHOWN })}</td></tr>}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Line({ bet, mine, out }: { bet: CrashBet; mine: boolean; out: number | null }) {
  return (
    <tr data-bet={bet.id} data-out={out ?? undefined} class={out === null ? "" : "gain"}>
      <td>{mine ? <strong>{t("crash.you")}</strong> : <code>{bet.player.slice(0, 6)}</code>}</td>
      <td class="number">{amount(bet.wager, bet.token)}</td>
      <td class="number">{out === null ? "–" : times(out / 100)}</td>
      <td class="number">{out === null ? "–" : amount(payoutAt(bet, out), bet.token)}</td>
    </tr>
  );
}
