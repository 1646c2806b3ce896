// Who is at the console and what their role allows: what it doesn't is not offered.

import { effect, signal } from "@preact/signals";
import { api, Refusal, type Schemas } from "../shared/api";
import { complain } from "../shared/notices";
import { session } from "../shared/session";

export type Permission = Schemas["Permission"];

export const me = signal<Schemas["AdminIdentity"] | null>(null);
/** Whether whoever signed in has no role. */
export const stranger = signal(false);

export function may(permission: Permission): boolean {
  return me.value?.permissions.includes(permission) ?? false;
}

/** A role that is bound to an agent sees that agent's players alone. */
export function bound(): boolean {
  return me.value?.agentCode != null;
}

function read(): void {
  api.get("/admin/me").then(
    (found) => {
      stranger.value = false;
      me.value = found;
    },
    (failure: unknown) => {
      me.value = null;
      stranger.value = failure instanceof Refusal && failure.status === 403;
      if (!stranger.value) complain(failure);
    },
  );
}

/** Reads the role again: somebody changed roles. */
export function readRole(): void {
  if (session.value !== null) read();
}

export function beginMe(): void {
  effect(() => {
    me.value = null;
    stranger.value = false;
    if (session.value !== null) read();
  });
}
