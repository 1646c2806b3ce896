// Launches third-party games: in a frame of the page if the operator named the game's origin
// (CASINO_GAME_FRAMES), which is in the page's policy too; otherwise in a tab of its own. The
// provider answers with any address, so whether it may be framed is known after the launch only.

import { signal } from "@preact/signals";
import { api } from "../shared/api";
import { served } from "../shared/config";
import { language, t } from "../shared/i18n";
import { complain, Told } from "../shared/notices";
import { session } from "../shared/session";
import { isOf } from "./find";
import { chooseToken } from "./store";
import type { LaunchableGame } from "./offered";
import { opened } from "./shelves";
import { askToSignIn } from "./view";

/** The game that was launched last, and its address. */
export const launched = signal<{ game: LaunchableGame; url: string; framed: boolean } | null>(null);

function checked(address: string): string {
  const { protocol } = new URL(address);
  if (protocol !== "https:" && protocol !== "http:") throw new Told(t("launch.address"));
  return address;
}

/** Whether games may be framed, so that the page has a place for them. */
export const framing = served.frames.length > 0;

/** Launches a game for the signed-in player, in the page's language, and switches to its token. */
export async function launch(game: LaunchableGame): Promise<void> {
  const who = session.value;
  if (who === null) return askToSignIn();
  launched.value = null;
  opened(`provider/${game.gameCode}`);
  // Open it before anything is awaited: browsers block a tab that isn't opened by a click. If they
  // block this one too, the page shows the address.
  const tab = framing ? null : open("", "_blank");
  if (tab !== null) tab.opener = null; // like noopener, which would return no tab to navigate
  try {
    const { url } = await api.post("/legacy/launch", { body: { gameCode: game.gameCode, userCode: who.wallet, language: language.value } });
    const address = checked(url);
    chooseToken(game.token);
    launched.value = { game, url: address, framed: isOf(served.frames, address) };
    tab?.location.replace(address);
  } catch (failure) {
    tab?.close();
    complain(failure);
  }
}
