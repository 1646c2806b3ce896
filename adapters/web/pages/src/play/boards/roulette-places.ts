// The places of a roulette table where a chip stands on more than one number, in cells: x from
// the left edge of 1 to 3, y from the upper edge of 3. Numbers are 3x + 1 to 3x + 3, from below.

export const KINDS = ["straight", "split", "street", "corner", "line"] as const;
export type Kind = (typeof KINDS)[number];

export interface Place {
  kind: Kind;
  numbers: number[];
  x: number;
  y: number;
}

const COLUMNS = 12;
const ROWS = 3;

export function numberAt(column: number, row: number): number {
  return 3 * column + ROWS - row;
}

function make(kind: Kind, x: number, y: number, numbers: number[]): Place {
  return { kind, x, y, numbers: numbers.sort((a, b) => a - b) };
}

/** All places of a kind; straight has none, since its chips stand on the numbers. */
export function placesOf(kind: Kind): Place[] {
  const cells = Array.from({ length: COLUMNS * ROWS }, (_, i) => [Math.floor(i / ROWS), i % ROWS] as const);
  const columns = Array.from({ length: COLUMNS }, (_, column) => column);
  const street = (column: number) => [0, 1, 2].map((row) => numberAt(column, row));
  switch (kind) {
    case "split":
      return [
        ...[0, 1, 2].map((row) => make(kind, 0, row + 0.5, [0, numberAt(0, row)])),
        ...cells.filter(([, row]) => row < ROWS - 1).map(([column, row]) => make(kind, column + 0.5, row + 1, [numberAt(column, row), numberAt(column, row + 1)])),
        ...cells.filter(([column]) => column < COLUMNS - 1).map(([column, row]) => make(kind, column + 1, row + 0.5, [numberAt(column, row), numberAt(column + 1, row)])),
      ];
    case "street":
      return [make(kind, 0, 2, [0, 1, 2]), make(kind, 0, 1, [0, 2, 3]), ...columns.map((column) => make(kind, column + 0.5, ROWS, street(column)))];
    case "corner":
      return [
        make(kind, 0, ROWS, [0, 1, 2, 3]),
        ...cells.filter(([column, row]) => column < COLUMNS - 1 && row < ROWS - 1)
          .map(([column, row]) => make(kind, column + 1, row + 1, [0, 1].flatMap((by) => [numberAt(column + by, row), numberAt(column + by, row + 1)]))),
      ];
    case "line":
      return columns.slice(1).map((column) => make(kind, column, ROWS, [...street(column - 1), ...street(column)]));
    default:
      return [];
  }
}

/** The order of the pockets of a European wheel, clockwise. */
export const POCKETS = [
  0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
];

const RED = [1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36];

export function colour(n: number): "green" | "red" | "black" {
  return n === 0 ? "green" : RED.includes(n) ? "red" : "black";
}
