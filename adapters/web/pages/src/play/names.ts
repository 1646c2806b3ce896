// What games are called in the reader's language; of a game that this page doesn't know,
// what the service calls it.

import { maybe } from "../shared/i18n";
import { games, type Game } from "./store";

export function title(game: Game): string {
  return maybe(`game.${game.gameType}`) ?? game.title;
}

/** The title of a type that may no longer be offered, or be a provider's. */
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
