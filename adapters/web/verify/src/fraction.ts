import { Decimal } from "./decimal.js";

const DIGITS = 18; // that a round shows of a multiplier, before and after the point together
const NEAR = 9; // decimals within which one that was cut is the same

/** An exact multiplier of a game whose multipliers are no decimals. */
export class Fraction {
  constructor(
    readonly numerator: bigint,
    readonly denominator: bigint,
  ) {}

  /** As a round shows it: cut where it has more digits. */
  get decimal(): Decimal {
    const scale = DIGITS - (this.numerator / this.denominator).toString().length;
    return Decimal.of((this.numerator * 10n ** BigInt(scale)) / this.denominator, scale);
  }

  /** Whether a round that shows this decimal shows the fraction. */
  shownAs(said: Decimal): boolean {
    if (said.units === null) return false;
    const { units, scale } = this.decimal;
    const cut = units! * this.denominator !== this.numerator * 10n ** BigInt(scale);
    const apart = said.units * this.denominator - this.numerator * 10n ** BigInt(said.scale);
    const most = cut ? this.denominator * 10n ** BigInt(said.scale) : 0n;
    return (apart < 0n ? -apart : apart) * 10n ** BigInt(NEAR) <= most;
  }

  floorOf(amount: bigint): bigint {
    return (amount * this.numerator) / this.denominator;
  }
}
