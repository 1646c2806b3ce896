// Third-party games that can be launched: their list, and their section of the lobby.

import { effect, signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { api, type Schemas } from "../shared/api";
import { Select } from "../shared/fields";
import { maybe, t } from "../shared/i18n";
import { complain } from "../shared/notices";
import { session } from "../shared/session";
import { Art } from "./art";
import { framing, launch, launched } from "./launch";
import { terms } from "./store";
import { Tile } from "./tile";

export type LaunchableGame = Schemas["LaunchableGame"];

const PAGE = 100;
/** The games that were read; null before the first page was asked for. */
export const offered = signal<LaunchableGame[] | null>(null);
const more = signal<string | null>(null);

async function read(cursor?: string): Promise<void> {
  const page = await api.get("/public/provider-games", { query: { limit: PAGE, ...(cursor !== undefined && { cursor }) } });
  offered.value = [...(cursor === undefined ? [] : (offered.value ?? [])), ...page.games];
  more.value = page.nextCursor;
}

let reading = false;

/** Reads all games that weren't read yet: the service doesn't search them. */
export async function readAllOffered(): Promise<void> {
  if (reading) return;
  reading = true;
  try {
    while (more.value !== null) await read(more.value);
  } catch (failure) {
    complain(failure);
  } finally {
    reading = false;
  }
}

export function beginOffered(): void {
  read().catch((failure: unknown) => {
    complain(failure);
    offered.value ??= [];
  });
  effect(() => {
    if (session.value === null) launched.value = null; // the address belongs to the ended session
  });
}

export function typeOf(game: LaunchableGame): string {
  return maybe(`type.${game.type}`) ?? game.type;
}

/** The provider's picture of a game; a drawn one if it is missing or doesn't load. */
function Picture({ game }: { game: LaunchableGame }) {
  const [broken, setBroken] = useState(false);
  if (game.banner === null || broken) return <Art gameType={game.gameCode} />;
  return <img class="art" src={game.banner} alt="" loading="lazy" onError={() => setBroken(true)} />;
}

export function OfferedTile({ game }: { game: LaunchableGame }) {
  return (
    <Tile name={`provider/${game.gameCode}`} title={game.name} text={[typeOf(game), game.provider, terms(game.token)?.symbol].filter(Boolean).join(" · ")}
      picture={<Picture game={game} />} onOpen={framing ? undefined : () => void launch(game)} />
  );
}

/** The link to the launched game, if its tab was closed or blocked. */
export function Launched() {
  const now = launched.value;
  return (
    <div role="status">
      {now !== null && !now.framed && (
        <p class="hint launched">
          {t(framing ? "launch.ready" : "launch.opened", { name: now.game.name })} <a href={now.url} target="_blank" rel="noopener noreferrer">{t("launch.again")}</a>
        </p>
      )}
    </div>
  );
}

const SHOWN = 48;

export function Offered() {
  const [type, setType] = useState("");
  const [provider, setProvider] = useState("");
  const [shown, setShown] = useState(SHOWN);
  const all = offered.value ?? [];
  if (all.length === 0) return null;
  const found = all.filter((game) => (type === "" || game.type === type) && (provider === "" || game.provider === provider));
  const types = [...new Map(all.map((game) => [game.type, typeOf(game)]))];
  const providers = [...new Set(all.map((game) => game.provider))].sort().map((each): [string, string] => [each, each]);
  const further = () => {
    void readAllOffered();
    setShown(shown + SHOWN);
  };
  return (
    <section id="offered">
      <h2>{t("lobby.offered")}</h2>
      <p class="muted">{t(framing ? "lobby.offered.framed" : "lobby.offered.explain")}</p>
      <Launched />
      {all.length > 1 && (
        <div class="row filters">
          <Select label={t("offered.type")} nothing={t("offered.types")} value={type} options={types} onChange={setType} onFocus={() => void readAllOffered()} />
          <Select label={t("offered.provider")} nothing={t("offered.providers")} value={provider} options={providers} onChange={setProvider} onFocus={() => void readAllOffered()} />
        </div>
      )}
      <ul class="tiles">
        {found.slice(0, shown).map((game) => <OfferedTile key={game.gameCode} game={game} />)}
      </ul>
      {found.length === 0 && <p class="hint">{t("offered.none")}</p>}
      {(found.length > shown || more.value !== null) && <button type="button" class="more" onClick={further}>{t("more")}</button>}
    </section>
  );
}
