// Third-party games that can be launched.

import { effect, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { api, type Schemas } from "../shared/api";
import { maybe, t } from "../shared/i18n";
import { complain } from "../shared/notices";
import { session } from "../shared/session";
import { Art } from "./art";
import { launch, launched } from "./launch";
import { terms } from "./store";

export type LaunchableGame = Schemas["LaunchableGame"];

const PAGE = 100;
const offered = signal<LaunchableGame[]>([]);
const more = signal<string | null>(null);

async function read(cursor?: string): Promise<void> {
  const page = await api.get("/public/provider-games", { query: { limit: PAGE, ...(cursor !== undefined && { cursor }) } });
  offered.value = [...(cursor === undefined ? [] : offered.value), ...page.games];
  more.value = page.nextCursor;
}

export function beginOffered(): void {
  read().catch(complain);
  effect(() => {
    if (session.value === null) launched.value = null; // the address belongs to the ended session
  });
}

/** The provider's picture of a game; a drawn one if it is missing or doesn't load. */
function Picture({ game }: { game: LaunchableGame }) {
  const [broken, setBroken] = useState(false);
  if (game.banner === null || broken) return <Art gameType={game.gameCode} />;
  return <img class="art" src={game.banner} alt="" loading="lazy" onError={() => setBroken(true)} />;
}

function Tile({ game }: { game: LaunchableGame }) {
  return (
    <li>
      <button type="button" class="tile" data-launch={game.gameCode} onClick={() => void launch(game)}>
        <Picture game={game} />
        <span class="tile-text">
          <strong>{game.name}</strong>
          <span>{[maybe(`type.${game.type}`) ?? game.type, game.provider, terms(game.token)?.symbol].filter(Boolean).join(" · ")}</span>
        </span>
      </button>
    </li>
  );
}

/** The link to the launched game, if its tab was closed or blocked. */
function Launched() {
  const now = launched.value;
  return (
    <div role="status">
      {now !== null && (
        <p class="hint launched">
          {t("launch.opened", { name: now.game.name })} <a href={now.url} target="_blank" rel="noopener noreferrer">{t("launch.again")}</a>
        </p>
      )}
    </div>
  );
}

export function Offered() {
  if (offered.value.length === 0) return null;
  return (
    <section id="offered">
      <h2>{t("lobby.offered")}</h2>
      <p class="muted">{t("lobby.offered.explain")}</p>
      <Launched />
      <ul class="tiles">
        {offered.value.map((game) => <Tile key={game.gameCode} game={game} />)}
      </ul>
      {more.value !== null && <button type="button" class="more" onClick={() => read(more.value ?? undefined).catch(complain)}>{t("more")}</button>}
    </section>
  );
}
