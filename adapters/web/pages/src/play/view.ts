// What is shown over the page.

import { signal } from "@preact/signals";

export const signingIn = signal(false);

export function askToSignIn(): void {
  signingIn.value = true;
}
