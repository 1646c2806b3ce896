// What the service says of itself in the page that it serves.

interface Served {
  /** Where the pages are, without a slash at its end. */
  path: string;
  /** The base path of the API. */
  base: string;
  /** Where the manual is, empty where it isn't served. */
  manual: string;
  /** Whether demo wallets can sign in (casino dev). */
  demo: boolean;
  /** Whether the address that was asked for is nobody's. */
  missing: boolean;
}

const text = document.querySelector<HTMLMetaElement>('meta[name="casino"]')?.content ?? "{}";

export const served: Served = { path: "", base: "/casino", manual: "", demo: false, missing: false, ...(JSON.parse(text) as Partial<Served>) };
