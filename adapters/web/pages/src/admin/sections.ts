// The views, each with the permission it needs; they load when they are first shown.

import type { FunctionComponent } from "preact";
import { lazily } from "../shared/lazily";
import { may, type Permission } from "./me";
import type { Text } from "./text";

interface Section {
  name: string;
  text: Text;
  needs: Permission;
  /** The list, or one of its items if the address names one. */
  View: FunctionComponent;
  One?: FunctionComponent<{ id: string }>;
}

const all: Section[] = [
  { name: "overview", text: "nav.overview", needs: "admin:read", View: lazily(() => import("./views/overview")) },
  { name: "withdrawals", text: "nav.withdrawals", needs: "admin:read", View: lazily(() => import("./views/withdrawals")), One: lazily(() => import("./views/withdrawal")) },
  { name: "approvals", text: "nav.approvals", needs: "admin:read", View: lazily(() => import("./views/approvals")) },
  { name: "players", text: "nav.players", needs: "admin:read", View: lazily(() => import("./views/players")), One: lazily(() => import("./views/player")) },
  { name: "rounds", text: "nav.rounds", needs: "admin:read", View: lazily(() => import("./views/rounds")) },
  { name: "transactions", text: "nav.transactions", needs: "admin:read", View: lazily(() => import("./views/transactions")) },
  { name: "unclaimed", text: "nav.unclaimed", needs: "admin:read", View: lazily(() => import("./views/unclaimed")) },
  { name: "games", text: "nav.games", needs: "admin:read", View: lazily(() => import("./views/games")) },
  { name: "provider", text: "nav.provider", needs: "admin:read", View: lazily(() => import("./views/provider")) },
  { name: "agents", text: "nav.agents", needs: "admin:read", View: lazily(() => import("./views/agents")), One: lazily(() => import("./views/agent")) },
  { name: "alarms", text: "nav.alarms", needs: "admin:read", View: lazily(() => import("./views/alarms")) },
  { name: "status", text: "nav.status", needs: "admin:read", View: lazily(() => import("./views/status")) },
  { name: "branding", text: "nav.branding", needs: "whitelabel:write", View: lazily(() => import("./views/branding")) },
  { name: "roles", text: "nav.roles", needs: "admin:read", View: lazily(() => import("./views/roles")) },
  { name: "reports", text: "nav.reports", needs: "admin:read", View: lazily(() => import("./views/reports")) },
  { name: "audit", text: "nav.audit", needs: "audit:read", View: lazily(() => import("./views/audit")) },
];

/** The views that the role may see. */
export function sections(): Section[] {
  return all.filter((each) => may(each.needs));
}
