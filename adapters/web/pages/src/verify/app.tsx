import { Brand } from "../shared/brand";
import { served } from "../shared/config";
import { AWAITED } from "../shared/hand-over";
import { t } from "../shared/i18n";
import { NoticeList } from "../shared/notice-list";
import { Skip } from "../shared/skip";
import { Switches } from "../shared/switches";
import { textIn } from "../shared/verify-link";
import { Many } from "./many-view";
import { RoundView } from "./round-view";
import { Start } from "./start";
import { fragment, held, isHeld, ROUNDS } from "./store";

function Current() {
  if (isHeld()) return <RoundView item={held.value} />;
  if (fragment.value === ROUNDS || fragment.value === AWAITED) return <Many />;
  let text: string | null;
  try {
    text = textIn(fragment.value);
  } catch {
    return <Broken />;
  }
  if (text === null) return fragment.value.replace(/^#\/?/, "") === "" ? <Start /> : <Broken />;
  return <RoundView key={fragment.value} item={text} />;
}

/** Shown if the part behind the # isn't a round. */
function Broken() {
  return (
    <>
      <p class="verdict bad" role="alert"><strong>{t("link.broken")}</strong> {t("link.whole")}</p>
      <Start />
    </>
  );
}

export function App() {
  return (
    <>
      <Skip />
      <header class="top">
        <Brand href={`${served.path}/`} />
        <nav class="sections" aria-label={t("nav")}>
          <a href={`${served.path}/`}>{t("nav.games")}</a>
          <a href="#" aria-current="page">{t("verify.title")}</a>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <Current />
      </main>
      <footer class="foot">
        <p class="muted">{t("verify.offline")}</p>
        <div class="switches"><Switches /></div>
      </footer>
      <NoticeList />
    </>
  );
}
