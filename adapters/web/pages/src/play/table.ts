// A seat at a game: the wager, the current round, and its result. Boards draw it; all requests
// about rounds are here.

import { signal, type Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { api } from "../shared/api";
import { complain } from "../shared/notices";
import { session } from "../shared/session";
import { pair } from "./pair";
import { still } from "./motion";
import { hidden } from "./pauses";
import { makeSeat, type Seat } from "./seat";
import { setBalance, withhold, type Game, type OpenRound, type Round } from "./store";

export type Values = Record<string, unknown>;
export type Action = { type: string } & Values;

export interface Table extends Seat {
  game: Game;
  /** The last settled round, and the open round. */
  last: Signal<Round | null>;
  open: Signal<OpenRound | null>;
  /** The rounds settled since the page was loaded, newest first. */
  results: Signal<Round[]>;
  /** Whether the last round's result is shown: false while its board animates it. */
  revealed: Signal<boolean>;
  /** How many milliseconds the board animates a settled round; its frame sets it. */
  motion: (round: Round) => number;
  /** Ends the animation: the result and the balance are shown now. */
  reveal(): void;
  /** Plays a round that is decided in one call. */
  play(config?: Values, wager?: bigint): Promise<Round | null>;
  /** Opens a round that is played step by step. */
  begin(config?: Values): Promise<void>;
  /** Takes an action in it. */
  act(action: Action): Promise<void>;
}

const RESULTS_MAX = 50;

function make(game: Game): Table {
  const seat = makeSeat();
  const { busy, stake, attempt } = seat;
  const last = signal<Round | null>(null);
  const open = signal<OpenRound | null>(null);
  const results = signal<Round[]>([]);
  const revealed = signal(true);
  let ends: ReturnType<typeof setTimeout> | undefined;

  function take(round: OpenRound | Round, balance: number | bigint): void {
    setBalance(round.token, balance, round.id);
    if ("status" in round) open.value = round;
    else {
      table.reveal();
      open.value = null;
      const pause = still() ? 0 : table.motion(round);
      if (pause > 0) {
        revealed.value = false;
        withhold(round);
        ends = setTimeout(table.reveal, pause);
      }
      last.value = round;
      results.value = [round, ...results.value.slice(0, RESULTS_MAX - 1)];
    }
  }

  const table: Table = {
    ...seat, game, last, open, results, revealed,
    motion: () => 0,
    reveal() {
      clearTimeout(ends);
      if (revealed.value) return;
      withhold(null);
      revealed.value = true;
    },
    play: (config, wanted) => attempt(async () => {
      const bet = stake(wanted);
      if (bet === null) return null;
      const played = await pair.bet((expected) => api.post("/play", { once: true, body: { gameType: game.gameType, ...bet, ...(config && { config }), ...expected } }));
      take(played.round, played.balance);
      return played.round;
    }),
    begin: async (config) => {
      await attempt(async () => {
        const bet = stake();
        if (bet === null) return;
        const begun = await pair.bet((expected) => api.post("/rounds", { once: true, body: { gameType: game.gameType, ...bet, ...(config && { config }), ...expected } }));
        take(begun.round, begun.balance);
      });
    },
    act: async (action) => {
      const round = open.value;
      if (round === null || busy.value) return;
      const taken = await attempt(async () => {
        const stepped = await api.post("/rounds/{id}/steps", { named: true, path: { id: round.id }, body: { step: Number(round.step), action } });
        take(stepped.round, stepped.balance);
        return true;
      });
      // It may have been done without an answer, or elsewhere, so show the present state.
      if (taken === null && session.value !== null) await openRound(game).then((found) => (open.value = found), complain);
    },
  };
  return table;
}

async function openRound(game: Game): Promise<OpenRound | null> {
  const { rounds } = await api.get("/rounds");
  return rounds.find((round) => round.gameType === game.gameType) ?? null;
}

const tables = new Map<string, Table>();

/** The seat at a game, which lasts as long as the page; an open round is continued. */
export function useTable(game: Game): Table {
  const table = useMemo(() => {
    const found = tables.get(game.gameType) ?? make(game);
    tables.set(game.gameType, found);
    return found;
  }, [game]);
  const signedIn = session.value?.wallet;
  useEffect(() => {
    table.reveal();
    table.open.value = null;
    table.last.value = null;
    table.results.value = [];
    if (signedIn === undefined || game.steps === null) return;
    openRound(game).then((found) => (table.open.value ??= found), complain);
  }, [table, signedIn]);
  const away = hidden.value;
  useEffect(() => {
    const { open, busy } = table;
    const before = open.value;
    if (away || before === null) return;
    openRound(game).then((found) => void (open.value === before && !busy.value && (open.value = found)), () => {}); // another tab may have played it
  }, [table, away]);
  useEffect(() => table.reveal, [table]); // nobody watches the animation of a game that was left
  return table;
}
