/** The curve's height in hundredths, t whole milliseconds after the start: 100 before it, 100,000,000
 * after the table's end. */
export declare function crashMultiplierAt(t: number): number;
/** The first millisecond at which the curve is at or above a height in hundredths. */
export declare function crashTimeOf(height: number): number;
/** The millisecond at which the curve of a round ends: the first at which it is above the point, or
 * at the cap. */
export declare function crashEndOf(point: number, cap: number): number;
