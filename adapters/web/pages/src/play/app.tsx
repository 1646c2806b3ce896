import type { FunctionComponent } from "preact";
import { served } from "../shared/config";
import { session } from "../shared/session";
import { lazily } from "../shared/lazily";
import { NoticeList } from "../shared/notice-list";
import { route } from "../shared/route";
import { SignIn } from "../shared/sign-in";
import { Skip } from "../shared/skip";
import { Accused } from "./accused";
import { BottomBar } from "./bottom-bar";
import { ConnectionBar } from "./connection-bar";
import { Footer } from "./footer";
import { GameView } from "./game-view";
import { Header } from "./header";
import { BetKeys } from "./hotkeys";
import { Lobby } from "./lobby";
import { Missing } from "./missing";
import { OpenRounds } from "./open-rounds";
import { Reminder } from "./reminder";
import { signingIn } from "./view";

const pages: Record<string, FunctionComponent> = {
  wallet: lazily(() => import("./account/wallet")),
  history: lazily(() => import("./account/history")),
  fairness: lazily(() => import("./account/fairness")),
  limits: lazily(() => import("./account/limits")),
  account: lazily(() => import("./account/account")),
  statistics: lazily(() => import("./account/statistics")),
  provider: lazily(() => import("./provider-game")),
};

function Current() {
  const [first, second, ...rest] = route.value;
  if (served.missing) return <Missing />;
  if (first === undefined) return <Lobby />;
  if (first === "game" && second !== undefined && rest.length === 0) return <GameView key={second} gameType={second} />;
  const Page = second === undefined || first === "history" || first === "provider" ? pages[first] : undefined;
  return Page === undefined ? <Missing /> : <Page />;
}

export function App() {
  return (
    <>
      <Skip />
      <Header />
      <main id="main" tabIndex={-1}>
        <Accused />
        <OpenRounds key={session.value?.wallet} />
        <Current />
      </main>
      <Footer />
      <BottomBar />
      <BetKeys />
      {signingIn.value && <SignIn onClose={() => (signingIn.value = false)} />}
      <Reminder />
      <NoticeList />
      <ConnectionBar />
    </>
  );
}
