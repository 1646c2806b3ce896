// Saved filters of a list, by name.

export type Saved = Readonly<Record<string, string>>;

const NAME_MAX = 40;
export const SAVED_MAX = 50;

/** The saved filters in what was kept; damaged ones count as none. */
export function readSaved(found: unknown): Saved {
  if (found === null || typeof found !== "object" || Array.isArray(found)) return {};
  return Object.fromEntries(Object.entries(found).filter(([, at]) => typeof at === "string" && at.startsWith("#/")));
}

/** Adds or replaces an address under a name, or returns null if there is no name or no room. */
export function withSaved(saved: Saved, name: string, address: string): Saved | null {
  const known = name.trim().slice(0, NAME_MAX);
  if (known === "" || (saved[known] === undefined && Object.keys(saved).length >= SAVED_MAX)) return null;
  return { ...saved, [known]: address };
}

export function withoutSaved(saved: Saved, name: string): Saved {
  return Object.fromEntries(Object.entries(saved).filter(([of]) => of !== name));
}
