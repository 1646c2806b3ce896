// Rounds that wait for the player's next step, wherever the player is.

import { useEffect, useState } from "preact/hooks";
import { api } from "../shared/api";
import { t } from "../shared/i18n";
import { say } from "../shared/notices";
import { route, to } from "../shared/route";
import { session } from "../shared/session";
import { titleOf } from "./names";
import "./open-rounds.css";
import { amount, ended, signedAmount, terms, type OpenRound } from "./store";

/** Whether the page shows the round's game, which continues it itself. */
function isHere({ gameType }: { gameType: string }): boolean {
  return route.value[0] === "game" && route.value[1] === gameType;
}

export function OpenRounds() {
  const [rounds, set] = useState<OpenRound[]>([]);
  const wallet = session.value?.wallet;
  useEffect(() => {
    let current = true;
    if (wallet !== undefined) api.get("/rounds").then((found) => current && set(found.rounds), () => {}); // the next page reads it again
    return () => void (current = false);
  }, [wallet, route.value.join("/")]);
  useEffect(() => {
    const over = rounds.find(({ id }) => id === ended.value?.id);
    if (over === undefined || ended.value === null) return;
    set(rounds.filter((each) => each !== over));
    if (!isHere(over)) say(t("rounds.ended", { game: titleOf(over.gameType), net: signedAmount(BigInt(ended.value.payout) - BigInt(ended.value.wager), over.token) }));
  }, [ended.value]);
  const [first, ...others] = rounds.filter((round) => !isHere(round) && terms(round.token) !== undefined);
  if (first === undefined) return null;
  return (
    <p class="panel open-rounds" role="status" data-open={first.id}>
      <span>
        {t("rounds.open", { game: titleOf(first.gameType), stake: amount(first.stake, first.token) })}
        {others.length > 0 && ` ${t("rounds.others", { count: others.length })}`}
      </span>
      <a href={to("game", first.gameType)}>{t("rounds.continue")}</a>
    </p>
  );
}
