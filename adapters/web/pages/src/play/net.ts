// Profit and loss as people read them: payouts less wagers, signed, in one colour code.

import { amount } from "./store";

/** A net amount with its sign. */
export function net(units: bigint, mint: string): string {
  return (units > 0n ? "+" : "") + amount(units, mint);
}

/** The class of its colour. */
export function tone(units: bigint): string {
  return units > 0n ? "gain" : units < 0n ? "loss" : "";
}
