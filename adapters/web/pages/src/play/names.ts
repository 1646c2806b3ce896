// Names of games in the reader's language; for a game that this page doesn't know, the service's
// name.

import { maybe } from "../shared/i18n";
import { games, type Game } from "./store";

/** The title of a type, which may be no longer offered, or a provider's. */
export function titleOf(gameType: string): string {
  const game = games.value?.find((each) => each.gameType === gameType);
  return maybe(`game.${gameType}`) ?? game?.title ?? gameType;
}

export function tagline(game: Game): string {
  return maybe(`game.${game.gameType}.tag`) ?? "";
}

export function explanation(game: Game): string | null {
  return maybe(`game.${game.gameType}.how`) ?? game.explanation;
}
