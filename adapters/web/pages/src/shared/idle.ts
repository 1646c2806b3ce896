const LATEST_MS = 500;

/** Resolves when the browser has nothing else to do. */
export function idle(): Promise<unknown> {
  return new Promise((resolve) => ("requestIdleCallback" in window ? requestIdleCallback(resolve, { timeout: LATEST_MS }) : setTimeout(resolve, 50)));
}
