import { branding } from "../shared/branding";
import { t } from "../shared/i18n";
import { to } from "../shared/route";
import { session } from "../shared/session";
import { Art } from "./art";
import { FeedTable } from "./feed-table";
import { tagline, title } from "./names";
import { Offered } from "./offered";
import { games } from "./store";
import { askToSignIn } from "./view";

export function Lobby() {
  return (
    <>
      <section class="hero">
        <h1>{t("lobby.title", { name: branding.value.title })}</h1>
        <p>{t("lobby.explain")}</p>
        {session.value === null
          ? <button type="button" class="light" onClick={askToSignIn}>{t("signin")}</button>
          : <a class="button light" href="#/wallet">{t("deposit")}</a>}
      </section>
      <section>
        <h2>{t("lobby.games")}</h2>
        <ul class="tiles">
          {(games.value ?? []).map((game) => (
            <li key={game.gameType}>
              <a class="tile" href={to("game", game.gameType)} data-game={game.gameType}>
                <Art gameType={game.gameType} />
                <span class="tile-text">
                  <strong>{title(game)}</strong>
                  <span>{tagline(game)}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <Offered />
      <section>
        <h2>{t("lobby.feed")}</h2>
        <FeedTable />
      </section>
    </>
  );
}
