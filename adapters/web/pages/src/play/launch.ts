// Launches third-party games, each in its own tab. For a frame, this page's policy would have to
// name the games' origins, which are unknown beforehand: the provider answers with any address, and
// an aggregator's games come from as many hosts as it has makers. A tab needs no change of the
// policy, and a game in it can't imitate this page to ask for a signature.

import { signal } from "@preact/signals";
import { api } from "../shared/api";
import { language, t } from "../shared/i18n";
import { complain, Told } from "../shared/notices";
import { session } from "../shared/session";
import { chooseToken } from "./store";
import type { LaunchableGame } from "./offered";
import { askToSignIn } from "./view";

/** The game that was launched last, and its address. */
export const launched = signal<{ game: LaunchableGame; url: string } | null>(null);

function checked(address: string): string {
  const { protocol } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") throw new Told(t("launch.address"));
  return address;
}

/** Launches a game for the signed-in player, in the page's language, and switches to its token. */
export async function launch(game: LaunchableGame): Promise<void> {
  const who = session.value;
  if (who === null) return askToSignIn();
  launched.value = null;
  // Open it before anything is awaited: browsers block a tab that isn't opened by a click. If they
  // block this one too, the page shows the address.
  const tab = open("", "_blank");
  if (tab !== null) tab.opener = null; // like noopener, which would return no tab to navigate
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
