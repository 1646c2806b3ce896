import { language } from "./i18n";
import { signed, tone, type Integer } from "./money";

interface Props {
  /** Base units won or lost: of a round its payout less all that was staked. */
  of: Integer;
  token: { symbol: string; decimals: number } | undefined;
}

/** A result in its colour: +0.0198 SOL, −0.01 SOL, 0.00 SOL. */
export function Net({ of, token }: Props) {
  return <span class={`net ${tone(of)}`}>{token === undefined ? "…" : `${signed(of, token.decimals, language.value)} ${token.symbol}`}</span>;
}
