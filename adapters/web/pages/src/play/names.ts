// Names of games in the reader's language; for a game that this page doesn't know, the service's
// name.

import { served } from "../shared/config";
import { maybe, t } from "../shared/i18n";
import { games, type Game } from "./store";

/** The page's name of the shared crash, beside the types of games. */
export const SHARED_CRASH = "shared-crash";

/** The title of a type, which may be no longer offered, or a provider's. */
export function titleOf(gameType: string): string {
  const game = games.value?.find((each) => each.gameType === gameType);
  return maybe(`game.${gameType}`) ?? game?.title ?? gameType;
}

/** The title of a game to be played: the crash of one player is told from the shared one. */
export function offeredTitle(gameType: string): string {
  return gameType === "crash" && served.crash ? t("crash.solo") : titleOf(gameType);
}

export function tagline(game: Pick<Game, "gameType">): string {
  return maybe(`game.${game.gameType}.tag`) ?? "";
}

export function explanation(game: Game): string | null {
  return maybe(`game.${game.gameType}.how`) ?? game.explanation;
}
