// The page's place: the part behind the # of its address, so that links, reloads and the browser's
// buttons work without the service.

import { signal } from "@preact/signals";
import { served } from "./config";

/** A decoded part of the address; unchanged if it wasn't encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function here(): string[] {
  return location.hash.replace(/^#\/?/, "").replace(/\?.*$/, "").split("/").filter(Boolean).map(decoded);
}

function asked(): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(location.hash.split("?")[1] ?? ""));
}

export const route = signal<string[]>(here());
/** The values behind the ? of the page's place, such as a list's filters. */
export const query = signal<Record<string, string>>(asked());

/** Changes values of the query in the address, without another entry of the browser's history;
 * empty ones go. */
export function setQuery(changed: Record<string, string>): void {
  const kept = Object.fromEntries(Object.entries({ ...query.value, ...changed }).filter(([, value]) => value !== ""));
  const text = new URLSearchParams(kept).toString();
  history.replaceState(history.state, "", location.pathname + location.search + to(...route.value) + (text === "" ? "" : `?${text}`));
  query.value = kept;
}

export function beginRoutes(): void {
  addEventListener("hashchange", () => {
    if (served.missing) location.assign(`${served.path}/${location.hash}`);
    route.value = here();
    query.value = asked();
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  });
}

export function to(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}
