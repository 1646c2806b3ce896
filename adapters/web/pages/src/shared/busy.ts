import { useRef, useState } from "preact/hooks";
import { complain } from "./notices";

/** Whether something is done now, and what does it: one thing at a time, failures are reported. */
export function useBusy(): [boolean, (what: () => Promise<unknown>) => Promise<void>] {
  const [busy, set] = useState(false);
  const running = useRef(false);
  return [busy, async (what) => {
    if (running.current) return;
    set((running.current = true));
    await what().catch(complain);
    set((running.current = false));
  }];
}
