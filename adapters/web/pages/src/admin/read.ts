import { useEffect, useRef, useState } from "preact/hooks";
import { happened } from "../shared/happened";
import { complain } from "../shared/notices";

/** Data of the service, read again after events: null with the error until it is loaded. Loaded
 * data stays when it can't be read again. */
export function useRead<T>(read: () => Promise<T>, ...on: unknown[]): [T | null, unknown] {
  const [got, set] = useState<T | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const shown = useRef(false);
  useEffect(() => {
    let stale = false;
    read().then(
      (found) => {
        if (stale) return;
        shown.current = true;
        set(found);
        setFailure(null);
      },
      (refused: unknown) => {
        if (stale) return;
        if (shown.current) complain(refused);
        else setFailure(refused);
      },
    );
    return () => {
      stale = true;
    };
  }, [happened.value, ...on]);
  return [got, failure];
}
