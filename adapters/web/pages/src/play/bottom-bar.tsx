// The bar at the lower edge of a phone: the parts of the page, in reach of a thumb.

import type { JSX } from "preact";
import { t, type Key } from "../shared/i18n";
import { route } from "../shared/route";

const ITEMS: { to: string; text: Key; icon: JSX.Element }[] = [
  { to: "", text: "nav.games", icon: <path d="M3 3h8v8H3zM13 3h8v8h-8zM3 13h8v8H3zM13 13h8v8h-8z" /> },
  { to: "wallet", text: "nav.wallet", icon: <path d="M3 6h15a3 3 0 0 1 3 3v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zm13 6v3h4v-3zM4 4h12v1H4z" /> },
  { to: "history", text: "nav.history", icon: <path d="M5 3h14v18l-3-2-2 2-2-2-2 2-2-2-3 2zm3 4v2h8V7zm0 4v2h8v-2z" /> },
  { to: "fairness", text: "nav.fairness", icon: <path d="M12 2 4 5v6c0 5 3.4 9 8 11 4.6-2 8-6 8-11V5zm-1.2 14-3.3-3.3 1.4-1.4 1.9 1.9 4.3-4.3 1.4 1.4z" /> },
  { to: "account", text: "nav.account", icon: <path d="M12 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10zm0 12c5 0 9 2.5 9 6v2H3v-2c0-3.5 4-6 9-6z" /> },
];

export function BottomBar() {
  const here = route.value[0] === "game" ? "" : (route.value[0] ?? "");
  return (
    <nav class="bottom" aria-label={t("nav")}>
      {ITEMS.map(({ to, text, icon }) => (
        <a key={to} href={`#/${to}`} aria-current={here === to ? "page" : undefined}>
          <svg viewBox="0 0 24 24" width="22" height="22" fill="currentColor" aria-hidden="true">{icon}</svg>
          <span>{t(text)}</span>
        </a>
      ))}
    </nav>
  );
}
