// Launches third-party games, each in a tab of its own. In a frame the policy of this page
// would have to name where games come from, and nobody knows that beforehand: the provider
// answers with any address, and the games of an aggregator come from as many hosts as it has
// makers. A tab needs no hole in the policy, and what runs in it never stands within this
// page, where it could ask for a signature.

import { signal } from "@preact/signals";
import { api } from "../shared/api";
import { language, t } from "../shared/i18n";
import { complain } from "../shared/notices";
import { session } from "../shared/session";
import { chooseToken } from "./store";
import type { LaunchableGame } from "./offered";
import { askToSignIn } from "./view";

/** The game that was launched last, and where it is. */
export const launched = signal<{ game: LaunchableGame; url: string } | null>(null);

function checked(address: string): string {
  const { protocol } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") throw new Error(t("launch.address"));
  return address;
}

/** Launches a game for who is signed in, in the page's language, and plays on in its token. */
export async function launch(game: LaunchableGame): Promise<void> {
  const who = session.value;
  if (who === null) return askToSignIn();
  launched.value = null;
  // Opened before anything is awaited: browsers block a tab that no click stands behind.
  // Where they block this one too, the page shows the address.
  const tab = open("", "_blank");
  if (tab !== null) tab.opener = null; // as noopener, which would return no tab to send on
  try {
    const { url } = await api.post("/legacy/launch", { body: { gameCode: game.gameCode, userCode: who.wallet, language: language.value } });
    const address = checked(url);
    chooseToken(game.token);
    launched.value = { game, url: address };
    tab?.location.replace(address);
  } catch (failure) {
    tab?.close();
    complain(failure);
  }
}
