// The player's favourites and the games that were opened last, kept in the browser. A game is named
// by the page's route to it: game/dice, provider/cherry-rush.

import { effect, signal } from "@preact/signals";
import { keep, keptJson } from "../shared/kept";
import { route } from "../shared/route";

const RECENT_MAX = 12;

function keptList(name: string): string[] {
  const list = keptJson(name);
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}

export const favourites = signal(keptList("casino.favourites"));
export const recent = signal(keptList("casino.recent"));

export function toggleFavourite(name: string): void {
  const list = favourites.value;
  favourites.value = list.includes(name) ? list.filter((each) => each !== name) : [name, ...list];
}

/** Notes that a game was opened. */
export function opened(name: string): void {
  recent.value = [name, ...recent.peek().filter((each) => each !== name)].slice(0, RECENT_MAX);
}

export function beginShelves(): void {
  effect(() => keep("casino.favourites", JSON.stringify(favourites.value)));
  effect(() => keep("casino.recent", JSON.stringify(recent.value)));
  effect(() => {
    const [part, name] = route.value;
    if ((part === "game" || part === "provider") && name !== undefined) opened(`${part}/${name}`);
  });
}
