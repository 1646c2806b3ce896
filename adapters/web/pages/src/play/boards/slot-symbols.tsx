// The symbols of the slot machine, drawn for this page.

import type { JSX } from "preact";

const DRAWN: Record<string, JSX.Element> = {
  diamond: <><path d="M12 8h16l8 9-16 19L4 17z" fill="#38bdf8" /><path d="M12 8l8 9 8-9M4 17h32M20 17v19" fill="none" stroke="#fff" stroke-width="1.5" /></>,
  crown: <><path d="M5 12l8 7 7-12 7 12 8-7-4 20H9z" fill="#f59e0b" /><path d="M9 32h22" stroke="#92400e" stroke-width="3" /><circle cx="20" cy="25" r="3" fill="#dc2626" /></>,
  seven: <path d="M8 6h25v6c-8 8-11 14-12 23h-9c1-9 5-15 11-21H8z" fill="#dc2626" stroke="#7f1d1d" stroke-width="1" />,
  bell: <><path d="M20 5c8 0 10 7 10 14 0 6 2 8 4 11H6c2-3 4-5 4-11 0-7 2-14 10-14z" fill="#facc15" stroke="#a16207" stroke-width="1" /><circle cx="20" cy="33" r="4" fill="#a16207" /></>,
  grapes: <><path d="M20 4c0 4 2 6 6 6" fill="none" stroke="#4d7c0f" stroke-width="3" />{[[12, 14], [20, 13], [28, 14], [16, 21], [24, 21], [20, 29]].map(([x, y]) => <circle key={`${x}.${y}`} cx={x} cy={y} r="5.5" fill="#7e22ce" stroke="#4c1d95" stroke-width="1" />)}</>,
  plum: <><path d="M20 9c1-4 4-5 7-5" fill="none" stroke="#4d7c0f" stroke-width="3" /><ellipse cx="20" cy="23" rx="12" ry="13" fill="#9d174d" /><path d="M20 10c-4 8-4 18 0 26" fill="none" stroke="#f9a8d4" stroke-width="1.5" /></>,
  lemon: <><path d="M4 22c3-2 4-4 6-7 5-7 15-7 20 0 2 3 3 5 6 7-3 2-4 4-6 7-5 7-15 7-20 0-2-3-3-5-6-7z" fill="#fde047" stroke="#a16207" stroke-width="1" /><path d="M13 19c2-4 5-5 9-5" fill="none" stroke="#fff" stroke-width="2" /></>,
  wild: <><rect x="3" y="9" width="34" height="22" rx="6" fill="#7c3aed" /><text x="20" y="25" text-anchor="middle" font-size="12" font-weight="900" fill="#fff">WILD</text></>,
  scatter: <path d="M20 3l5 11 12 1-9 8 3 12-11-6-11 6 3-12-9-8 12-1z" fill="#10b981" stroke="#065f46" stroke-width="1" />,
};

/** A symbol's picture; its name if it isn't drawn. */
export function Symbol({ name }: { name: string }) {
  const drawn = DRAWN[name];
  return drawn === undefined ? <>{name}</> : <svg viewBox="0 0 40 40" aria-hidden="true">{drawn}</svg>;
}
