// The signed-in admin and the role; the console hides what the role doesn't allow.

import { effect, signal } from "@preact/signals";
import { api, Refusal, type Schemas } from "../shared/api";
import { insist } from "../shared/insist";
import { session } from "../shared/session";

export type Permission = Schemas["Permission"];

export const me = signal<Schemas["AdminIdentity"] | null>(null);
/** Whether the signed-in wallet has no role. */
export const stranger = signal(false);

export function may(permission: Permission): boolean {
  return me.value?.permissions.includes(permission) ?? false;
}

/** A role that is bound to an agent sees only that agent's players. */
export function bound(): boolean {
  return me.value?.agentCode != null;
}

/** Reads the role of the signed-in wallet; the last known one is shown until then. */
function read(): void {
  const of = session.peek();
  void insist(async () => {
    try {
      const found = await api.get("/admin/me");
      if (of !== session.peek()) return; // another wallet signed in meanwhile
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

/** Reads the role again, because roles were changed. */
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
