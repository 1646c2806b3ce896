import { computed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { branding } from "../shared/branding";
import { served } from "../shared/config";
import { maybe, t } from "../shared/i18n";
import { session } from "../shared/session";
import { Art } from "./art";
import { FeedTable } from "./feed-table";
import { matches } from "./find";
import "./lobby.css";
import { offeredTitle, SHARED_CRASH, tagline } from "./names";
import { Offered, offered, OfferedTile, readAllOffered, typeOf } from "./offered";
import { favourites, recent } from "./shelves";
import { games, type Game } from "./store";
import { Tile } from "./tile";
import { askToSignIn } from "./view";

const VIEWS = ["all", "favourites", "recent", "house", "offered"] as const;
type View = (typeof VIEWS)[number];
const PLACES = served.crash ? 17 : 16; // tiles that are reserved until the games are known

type Listed = Pick<Game, "gameType" | "title">;

/** The house's games, the shared crash first; null until they are known. */
const house = computed<Listed[] | null>(() => games.value && [...(served.crash ? [{ gameType: SHARED_CRASH, title: "" }] : []), ...games.value]);

export function Lobby() {
  const [view, setView] = useState<View>("all");
  const [query, setQuery] = useState("");
  const known = offered.value?.length ?? 0;
  return (
    <>
      <Hero />
      <Search query={query} onInput={setQuery} />
      {query.trim() !== "" ? <Found query={query} onClear={() => setQuery("")} /> : (
        <>
          <div class="chips" role="group" aria-label={t("lobby.views")}>
            {VIEWS.filter((each) => each !== "offered" || known > 0).map((each) => (
              <button type="button" key={each} aria-pressed={view === each} onClick={() => setView(each)}>{maybe(`view.${each}`)}</button>
            ))}
          </div>
          {view === "favourites" && <Shelf names={favourites.value} title={t("view.favourites")} empty={t("favourites.none")} />}
          {view === "recent" && <Shelf names={recent.value} title={t("view.recent")} empty={t("recent.none")} />}
          {view === "all" && recent.value.length > 0 && <Shelf names={recent.value} title={t("view.recent")} row />}
          {view === "all" && favourites.value.length > 0 && <Shelf names={favourites.value} title={t("view.favourites")} row />}
          {(view === "all" || view === "house") && <House />}
          {(view === "all" || view === "offered") && <Offered />}
          {view === "all" && offered.value !== null && <section><h2>{t("lobby.feed")}</h2><FeedTable /></section>}
        </>
      )}
    </>
  );
}

function Hero() {
  const visitor = session.value === null;
  return (
    <section class={visitor ? "hero" : "hero small"}>
      <h1>{t("lobby.title", { name: branding.value.title })}</h1>
      {visitor && <p>{t("lobby.explain")}</p>}
      {visitor
        ? <button type="button" class="light" onClick={askToSignIn}>{t("signin")}</button>
        : <a class="button light" href="#/wallet">{t("deposit")}</a>}
    </section>
  );
}

function Search({ query, onInput }: { query: string; onInput: (query: string) => void }) {
  return (
    <form class="search" role="search" onSubmit={(e) => e.preventDefault()}>
      <input type="search" value={query} aria-label={t("search")} placeholder={t("search")} autoComplete="off" enterKeyHint="search"
        onFocus={() => void readAllOffered()} onInput={(e) => onInput(e.currentTarget.value)} />
    </form>
  );
}

function HouseTile({ game }: { game: Listed }) {
  return <Tile name={`game/${game.gameType}`} title={offeredTitle(game.gameType)} text={tagline(game)} picture={<Art gameType={game.gameType} />} />;
}

function House() {
  return (
    <section>
      <h2>{t("lobby.games")}</h2>
      <ul class="tiles" id="house">
        {house.value?.map((game) => <HouseTile key={game.gameType} game={game} />)
          ?? Array.from({ length: PLACES }, (_, i) => <li key={i} class="awaited" aria-hidden="true" />)}
      </ul>
    </section>
  );
}

/** Kept games in their order. */
function Shelf({ names, title: heading, row, empty }: { names: string[]; title: string; row?: boolean; empty?: string }) {
  const of = (name: string) => ({
    ours: house.value?.find((game) => name === `game/${game.gameType}`),
    other: offered.value?.find((game) => name === `provider/${game.gameCode}`),
  });
  const unread = names.some((name) => name.startsWith("provider/") && of(name).other === undefined);
  useEffect(() => {
    if (unread) void readAllOffered();
  }, [unread]);
  const tiles = names.flatMap((name) => {
    const { ours, other } = of(name);
    return ours !== undefined ? [<HouseTile key={name} game={ours} />] : other !== undefined ? [<OfferedTile key={name} game={other} />] : [];
  });
  if (tiles.length === 0 && house.value !== null) return empty === undefined ? null : <p class="hint">{empty}</p>;
  return (
    <section>
      <h2>{heading}</h2>
      <ul class={row === true ? "tiles along" : "tiles"}>
        {tiles.length > 0 ? tiles : <li class="awaited" aria-hidden="true" />}
      </ul>
    </section>
  );
}

function Found({ query, onClear }: { query: string; onClear: () => void }) {
  const own = (house.value ?? []).filter((game) => matches(query, offeredTitle(game.gameType), tagline(game), game.gameType, game.title));
  const others = (offered.value ?? []).filter((game) => matches(query, game.name, game.provider, typeOf(game)));
  const count = own.length + others.length;
  return (
    <section>
      <div role="status"><h2>{count === 0 ? t("search.none", { query: query.trim() }) : t("search.found", { count })}</h2></div>
      <ul class="tiles" id="found">
        {own.map((game) => <HouseTile key={game.gameType} game={game} />)}
        {others.map((game) => <OfferedTile key={game.gameCode} game={game} />)}
      </ul>
      {count === 0 && <button type="button" onClick={onClear}>{t("search.clear")}</button>}
    </section>
  );
}
