// Amounts are integers of base units. They are converted to and from text digit by digit, never
// through a floating-point number.
/** The exact decimal of an amount: 1.5 for 1500000 with 6 decimals. */
export function decimal(units, decimals) {
    const value = BigInt(units);
    const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, "0");
    const whole = digits.slice(0, digits.length - decimals);
    const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
    return (value < 0n ? "-" : "") + whole + (fraction === "" ? "" : `.${fraction}`);
}
/** The amount in a decimal text, or null if it isn't one or has too many decimals for the token.
 * The text must be canonical: digits, and a point before decimals. Grouped digits and a decimal
 * comma are a RangeError, because "1,500" is 1500 in one language and 1.5 in another. */
export function units(text, decimals) {
    const trimmed = text.trim();
    if (/^\d[\d.,'\s_]*$/.test(trimmed) && !/^\d+(\.\d*)?$/.test(trimmed)) {
        throw new RangeError(`units: ${JSON.stringify(text)} has grouped digits or a decimal comma: write digits, with a point before decimals`);
    }
    const found = /^(\d*)(?:\.(\d*))?$/.exec(trimmed);
    if (found === null)
        return null;
    const [, whole = "", fraction = ""] = found;
    if (whole + fraction === "")
        return null;
    const kept = fraction.replace(/0+$/, "");
    return kept.length > decimals ? null : BigInt(whole + kept.padEnd(decimals, "0"));
}
