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
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decoded);
}

export const route = signal<string[]>(here());

export function beginRoutes(): void {
  addEventListener("hashchange", () => {
    if (served.missing) location.assign(`${served.path}/${location.hash}`);
    route.value = here();
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  });
}

export function to(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}
