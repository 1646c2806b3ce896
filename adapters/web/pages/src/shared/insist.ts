// Repeats reads that a page needs until they succeed, so that a page opened without a connection is
// complete once there is one.

import { complain } from "./notices";

const AGAIN_MS = 2000;

/** Reads until it succeeds or isn't wanted any more; the first failure is reported. */
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
