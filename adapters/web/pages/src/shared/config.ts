// The service's settings in the page that it serves.

interface Served {
  /** The path of the pages, without a trailing slash. */
  path: string;
  /** The base path of the API. */
  base: string;
  /** The path of the manual; empty if it isn't served. */
  manual: string;
  /** Whether demo wallets can sign in (casino dev). */
  demo: boolean;
  /** Whether the API has the shared crash. */
  crash: boolean;
  /** The address of a transaction on chain, with {signature} in it; empty for no links. */
  explorer: string;
  /** Whether the requested path doesn't exist. */
  missing: boolean;
  /** Origins whose games may be framed, with * for a part of one. */
  frames: string[];
  /** How long a player plays until the page asks whether to go on; 0 for never. */
  realityCheckMs: number;
}

const text = document.querySelector<HTMLMetaElement>('meta[name="casino"]')?.content ?? "{}";

export const served: Served = { path: "", base: "/casino", manual: "", demo: false, crash: false, explorer: "", missing: false, frames: [], realityCheckMs: 0, ...(JSON.parse(text) as Partial<Served>) };
