// Who is at the console and what their role allows: what it doesn't is not offered.

import { effect, signal } from "@preact/signals";
import { api, Refusal, type Schemas } from "../shared/api";
import { insist } from "../shared/insist";
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

/** Reads the role of who is signed in; one that was shown stays until another is known. */
function read(): void {
  const of = session.peek();
  void insist(async () => {
    try {
      const found = await api.get("/admin/me");
      if (of !== session.peek()) return; // somebody else's
      stranger.value = false;
      me.value = found;
    } catch (failure) {
      if (!(failure instanceof Refusal) || failure.status !== 403) throw failure;
      if (of !== session.peek()) return;
      me.value = null;
      stranger.value = true;
    }
  }, () => of === session.peek());
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
