// A game's tile in the lobby, with a heart that makes it a favourite.

import type { ComponentChildren } from "preact";
import { t } from "../shared/i18n";
import { favourites, toggleFavourite } from "./shelves";

interface Props {
  /** The page's route to the game, by which it is kept. */
  name: string;
  title: string;
  text: string;
  picture: ComponentChildren;
  /** Opens the game if the tile is no link to it. */
  onOpen?: (() => void) | undefined;
}

export function Tile({ name, title, text, picture, onOpen }: Props) {
  const favourite = favourites.value.includes(name);
  const slash = name.indexOf("/");
  const [kind, code] = [name.slice(0, slash), name.slice(slash + 1)];
  const shown = (
    <>
      {picture}
      <span class="tile-text">
        <strong>{title}</strong>
        <span>{text}</span>
      </span>
    </>
  );
  const data = kind === "game" ? { "data-game": code } : { "data-launch": code };
  return (
    <li class="place-of-tile">
      {onOpen === undefined ? <a class="tile" href={`#/${kind}/${encodeURIComponent(code)}`} {...data}>{shown}</a> : <button type="button" class="tile" onClick={onOpen} {...data}>{shown}</button>}
      <button type="button" class="heart" aria-pressed={favourite} aria-label={t("favourite", { game: title })} onClick={() => toggleFavourite(name)}>
        <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="M12 20.500 4 12.700a5 5 0 0 1 7-7.200l1 1 1-1a5 5 0 0 1 7 7.200z" /></svg>
      </button>
    </li>
  );
}
