// A third-party game in the page: in a frame if its origin may be framed, else as a link.

import { useEffect } from "preact/hooks";
import { t } from "../shared/i18n";
import { route } from "../shared/route";
import { session } from "../shared/session";
import { Private } from "./account/private";
import { framing, launch, launched } from "./launch";
import { Missing } from "./missing";
import { Launched, offered, readAllOffered } from "./offered";
import "./provider-game.css";

export default function ProviderGame() {
  const code = route.value[1];
  const game = offered.value?.find((each) => each.gameCode === code);
  const signedIn = session.value?.wallet;
  useEffect(() => {
    launched.value = null;
    if (game === undefined) void readAllOffered();
    else if (signedIn !== undefined) void launch(game);
    return () => void (launched.value = null); // the next player of this page launches anew
  }, [game, signedIn]);
  if (!framing || (offered.value !== null && game === undefined)) return <Missing />;
  const now = launched.value;
  return (
    <Private title={game?.name ?? t("loading")}>
      <Launched />
      {now?.framed === true && (
        <iframe class="provider-game" title={now.game.name} src={now.url} referrerpolicy="no-referrer" allow="autoplay; fullscreen"
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox" />
      )}
    </Private>
  );
}
