// Whether the service can be reached. A broken stream or an unanswered request is only a hint: a
// request checks it, and is repeated until it is answered.

import { signal } from "@preact/signals";
import { served } from "./config";

/** Whether the service could be reached when it was last tried. */
export const connected = signal(true);

const AGAIN_MS = 2000;
const ANSWER_MS = 5000;
const PROXY_FAILED = [502, 504];
let checking = false;

async function answers(): Promise<boolean> {
  try {
    const { status } = await fetch(`${served.base}/health`, { cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(ANSWER_MS) });
    return !PROXY_FAILED.includes(status);
  } catch {
    return false;
  }
}

/** Checks the connection, and repeats that while it is lost. */
export async function checkConnection(): Promise<void> {
  if (checking) return;
  checking = true;
  while (!(connected.value = await answers())) {
    await new Promise((again) => {
      setTimeout(again, AGAIN_MS);
      addEventListener("online", again, { once: true });
    });
  }
  checking = false;
}

export function beginConnection(): void {
  addEventListener("offline", () => {
    connected.value = false;
    void checkConnection();
  });
}
