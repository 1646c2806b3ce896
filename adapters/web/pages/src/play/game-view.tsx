import type { FunctionComponent } from "preact";
import { served } from "../shared/config";
import { hundredths, t, times } from "../shared/i18n";
import { lazily } from "../shared/lazily";
import { session } from "../shared/session";
import { to } from "../shared/route";
import { verifyLink } from "../shared/verify-link";
import { FeedTable } from "./feed-table";
import { Missing } from "./missing";
import { explanation, offeredTitle, SHARED_CRASH } from "./names";
import { useSeals } from "./receipts";
import { Seal } from "./seal";
import { games, tokens, type Game } from "./store";
import { useTable, type Table } from "./table";

type Board = FunctionComponent<{ table: Table }>;

/** The boards, each loaded when it is first played. */
const files = import.meta.glob<{ default: Board }>([
  "./boards/{baccarat,blackjack,coinflip,crash,diamonds,dice,dragontower,hilo,keno,limbo,mines,plinko,roulette,slots,videopoker,wheel}.tsx",
]);
const boards: Record<string, Board> = Object.fromEntries(Object.entries(files).map(([file, load]) => [file.slice("./boards/".length, -".tsx".length), lazily(load)]));
const form: Board = lazily(() => import("./boards/form"));
const SharedCrash = lazily(() => import("./crash/board"));

export function GameView({ gameType }: { gameType: string }) {
  if (games.value === null || tokens.value.length === 0) return <p class="loading" role="status">{t("loading")}</p>;
  if (gameType === SHARED_CRASH && served.crash) return <SharedCrash />;
  const game = games.value.find((each) => each.gameType === gameType);
  return game === undefined ? <Missing /> : <Playing game={game} />;
}

function Playing({ game }: { game: Game }) {
  const table = useTable(game);
  const Board = boards[game.gameType] ?? form;
  const back = game.steps?.best.percent ?? game.rtp.default.percent;
  return (
    <>
      <div class="game-head">
        <a href="#/" class="ghost" aria-label={t("nav.games")}>←</a>
        <h1>{offeredTitle(game.gameType)}</h1>
        <span class="tag" title={t("rtp.explain")}>{t("rtp", { percent: hundredths(back) })}</span>
        <a class="tag" href={to("fairness")}>{t("fair")}</a>
      </div>
      <Board table={table} />
      <MyBets table={table} />
      <details class="panel how">
        <summary>{t("how")}</summary>
        <p>{explanation(game)}</p>
        <Further game={game} />
      </details>
      <h2>{t("lobby.feed")}</h2>
      <FeedTable />
    </>
  );
}

/** The part of the manual about one of the house's games. Its anchors combine titles and rules;
 * games that are only played step by step have a page of their own. */
function section(game: Game): string {
  const heading = `${game.title} ${game.rules}`.toLowerCase().replace(/[^a-z0-9 ]/g, "").replaceAll(" ", "-");
  return `${served.manual}/fairness/${game.configSchema === null ? "steps" : "games"}.html#${heading}`;
}

/** Links for the rules: draws and returns, the seeds, and the proof. */
function Further({ game }: { game: Game }) {
  return (
    <p class="further">
      {served.manual !== "" && boards[game.gameType] !== undefined && <a href={section(game)} target="_blank" rel="noopener">{t("how.drawn")}</a>}
      <a href={to("fairness")}>{t("fairness.active")}</a>
      <a href={verifyLink()} target="_blank" rel="noopener">{t("verify.title")}</a>
    </p>
  );
}

const RECENT = 12;

/** The results since the page was opened, newest first. */
function MyBets({ table }: { table: Table }) {
  const first = table.revealed.value ? 0 : 1; // the board still animates the newest one
  const results = session.value === null ? [] : table.results.value.slice(first, first + RECENT);
  const seals = useSeals(results.map(({ id }) => id));
  if (results.length === 0) return null;
  return (
    <ul class="results" aria-label={t("results")}>
      {results.map((round) => (
        <li key={round.id} class={BigInt(round.payout) > BigInt(round.wager) ? "gain" : ""}>
          <a href={to("history", round.id)}>{times(round.multiplier)}<Seal of={seals[round.id]} /></a>
        </li>
      ))}
    </ul>
  );
}
