// What a page can't do without is asked for until it is there: whoever opens it without a
// connection finds it whole once there is one.

import { complain } from "./notices";

const AGAIN_MS = 2000;

/** Reads, again and again until it succeeds or isn't wanted any more; the first failure is said. */
export async function insist(read: () => Promise<void>, wanted: () => boolean = () => true): Promise<void> {
  for (let said = false; wanted(); said = true) {
    try {
      return await read();
    } catch (failure) {
      if (!said && wanted()) complain(failure);
    }
    await new Promise((again) => setTimeout(again, AGAIN_MS));
  }
}
