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
  /** The address of a transaction on chain, with {signature} in it; empty for no links. */
  explorer: string;
  /** Whether the requested path doesn't exist. */
  missing: boolean;
}

const text = document.querySelector<HTMLMetaElement>('meta[name="casino"]')?.content ?? "{}";

export const served: Served = { path: "", base: "/casino", manual: "", demo: false, explorer: "", missing: false, ...(JSON.parse(text) as Partial<Served>) };
