import { tone, type Integer } from "../shared/money";
import { signedAmount } from "./store";

/** What was won or lost beyond the stake, or a change of the balance: signed, in its colour. */
export function Net({ of, token }: { of: Integer; token: string }) {
  return <strong class={tone(of)} data-net={String(of)}>{signedAmount(of, token)}</strong>;
}
