import { t } from "../shared/i18n";
import { times } from "../shared/money";
import { titleOf } from "./names";
import { amount, feed } from "./store";

/** The bets of all players as they are played, without names. */
export function FeedTable() {
  return (
    <div class="scroll panel" tabIndex={0} role="region" aria-label={t("lobby.feed")}>
      <table class="feed">
        <thead>
          <tr>
            <th scope="col">{t("column.game")}</th>
            <th scope="col" class="wide">{t("column.player")}</th>
            <th scope="col" class="number">{t("wager")}</th>
            <th scope="col" class="number">{t("column.times")}</th>
            <th scope="col" class="number">{t("column.payout")}</th>
          </tr>
        </thead>
        <tbody>
          {feed.value.length === 0 && <tr><td colSpan={5} class="muted">{t("feed.empty")}</td></tr>}
          {feed.value.map((bet) => (
            <tr key={bet.id} data-bet={bet.id}>
              <td>{titleOf(bet.gameType)}</td>
              <td class="wide"><code>{bet.player.slice(0, 6)}</code></td>
              <td class="number">{amount(bet.wager, bet.token)}</td>
              <td class="number">{times(bet.multiplier)}</td>
              <td class={`number ${BigInt(bet.payout) > BigInt(bet.wager) ? "gain" : "muted"}`}>{amount(bet.payout, bet.token)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
