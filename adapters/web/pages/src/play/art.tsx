// A picture of each game, drawn here so that nothing is loaded. A game that this page doesn't know
// gets the first letter of its type.

import type { JSX } from "preact";

const glyphs: Record<string, JSX.Element> = {
  dice: <><rect x="14" y="20" width="28" height="28" rx="7" transform="rotate(-12 28 34)" /><rect x="38" y="16" width="28" height="28" rx="7" transform="rotate(14 52 30)" opacity=".75" /><g class="ink"><circle cx="22" cy="30" r="3" /><circle cx="28" cy="35" r="3" /><circle cx="35" cy="40" r="3" /><circle cx="47" cy="26" r="3" /><circle cx="57" cy="34" r="3" /></g></>,
  limbo: <><path d="M40 8l9 20H31z" /><rect x="34" y="30" width="12" height="22" rx="4" /><path d="M30 42l-8 12h12zM50 42l8 12H46z" opacity=".7" /></>,
  crash: <path d="M10 52c26 0 42-10 56-38" fill="none" stroke="currentColor" stroke-width="7" stroke-linecap="round" />,
  "shared-crash": <><path d="M10 52c26 0 42-10 56-38" fill="none" stroke="currentColor" stroke-width="7" stroke-linecap="round" /><g opacity=".75"><circle cx="16" cy="20" r="5" /><circle cx="30" cy="20" r="5" /><circle cx="44" cy="20" r="5" /></g></>,
  coinflip: <><circle cx="40" cy="32" r="22" /><circle cx="40" cy="32" r="15" class="ink-line" /></>,
  slots: <><rect x="10" y="12" width="18" height="40" rx="5" /><rect x="31" y="12" width="18" height="40" rx="5" /><rect x="52" y="12" width="18" height="40" rx="5" /><g class="ink"><path d="M14 24h10l-5 14h-4l4-10h-5zM35 24h10l-5 14h-4l4-10h-5zM56 24h10l-5 14h-4l4-10h-5z" /></g></>,
  mines: <><circle cx="40" cy="34" r="15" /><path d="M40 10v48M16 34h48M23 17l34 34M57 17L23 51" stroke="currentColor" stroke-width="5" stroke-linecap="round" /><circle cx="35" cy="29" r="4" class="ink" /></>,
  plinko: <><circle cx="40" cy="10" r="5" /><g opacity=".6"><circle cx="32" cy="24" r="3.5" /><circle cx="48" cy="24" r="3.5" /><circle cx="24" cy="38" r="3.5" /><circle cx="40" cy="38" r="3.5" /><circle cx="56" cy="38" r="3.5" /></g><rect x="14" y="48" width="15" height="8" rx="3" /><rect x="33" y="48" width="15" height="8" rx="3" /><rect x="52" y="48" width="15" height="8" rx="3" /></>,
  keno: <g>{[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((i) => <rect key={i} x={14 + (i % 4) * 14} y={12 + Math.floor(i / 4) * 14} width="11" height="11" rx="3" opacity={i % 5 === 1 ? 1 : 0.55} />)}</g>,
  wheel: <><path d="M40 32V8a24 24 0 0 1 22.8 16.6z" /><path d="M40 32l22.8-7.4a24 24 0 0 1-8.7 26.8z" opacity=".6" /><path d="M40 32l14.1 19.4a24 24 0 0 1-28.2 0z" /><path d="M40 32L25.900 51.400a24 24 0 0 1-8.700-26.800z" opacity=".6" /><path d="M40 32L17.200 24.600A24 24 0 0 1 40 8z" opacity=".8" /></>,
  roulette: <><circle cx="40" cy="32" r="24" opacity=".45" /><circle cx="40" cy="32" r="16" /><circle cx="40" cy="32" r="6" class="ink" /><circle cx="58" cy="22" r="4.500" /></>,
  diamonds: <><path d="M40 8l22 18-22 30L18 26z" /><path d="M18 26h44L40 56z" opacity=".5" class="ink" /></>,
  baccarat: <><rect x="16" y="14" width="24" height="36" rx="4" transform="rotate(-10 28 32)" /><rect x="40" y="14" width="24" height="36" rx="4" transform="rotate(10 52 32)" opacity=".75" /><g class="ink"><path d="M28 25l5 7-5 7-5-7zM52 25l5 7-5 7-5-7z" /></g></>,
  dragontower: <path d="M20 56V18h8v8h8v-8h8v8h8v-8h8v38H48V44H32v12z" />,
  hilo: <><path d="M30 8l14 18H16z" /><path d="M50 56L36 38h28z" opacity=".7" /></>,
  videopoker: <g>{[0, 1, 2].map((i) => <rect key={i} x={14 + i * 16} y="14" width="22" height="34" rx="4" transform={`rotate(${(i - 1) * 12} ${25 + i * 16} 48)`} opacity={0.5 + i * 0.25} />)}</g>,
  blackjack: <><rect x="18" y="12" width="26" height="38" rx="4" opacity=".6" /><rect x="36" y="16" width="26" height="38" rx="4" /><path d="M49 24c6 7 9 9 9 14 0 4-5 6-8 3l2 5h-6l2-5c-3 3-8 1-8-3 0-5 3-7 9-14z" class="ink" /></>,
};

const HUES: Record<string, number> = {
  dice: 265, limbo: 205, crash: 340, "shared-crash": 305, coinflip: 42, slots: 320, mines: 20, plinko: 285, keno: 190, wheel: 150, roulette: 355, diamonds: 175,
  baccarat: 230, dragontower: 10, hilo: 95, videopoker: 215, blackjack: 135,
};

function hue(gameType: string): number {
  const known = HUES[gameType];
  if (known !== undefined) return known;
  return [...gameType].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 360, 7);
}

export function Art({ gameType }: { gameType: string }) {
  return (
    <span class="art" style={{ "--hue": `${hue(gameType)}` }} aria-hidden="true">
      <svg viewBox="0 0 80 64" fill="currentColor">
        {glyphs[gameType] ?? <text x="40" y="44" text-anchor="middle" font-size="38" font-weight="800">{gameType.charAt(0).toUpperCase()}</text>}
      </svg>
    </span>
  );
}
