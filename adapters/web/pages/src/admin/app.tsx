import { signal } from "@preact/signals";
import { Brand } from "../shared/brand";
import { served } from "../shared/config";
import { NoticeList } from "../shared/notice-list";
import { complain } from "../shared/notices";
import { route, to } from "../shared/route";
import { session, short, signOut } from "../shared/session";
import { SignIn } from "../shared/sign-in";
import { Skip } from "../shared/skip";
import { Switches } from "../shared/switches";
import { Asking } from "./confirm";
import { Keys, showKeys } from "./keyboard";
import { me, stranger } from "./me";
import { Loading } from "./parts";
import { Secrets } from "./secrets";
import { sections } from "./sections";
import { figure, t } from "./text";
import { waitingIn } from "./waits";

const signingIn = signal(false);

export function App() {
  return (
    <>
      <Skip />
      <header class="top">
        <Brand href="#/" />
        <span class="tag">{t("console")}</span>
        {session.value === null
          ? <button type="button" class="primary" onClick={() => (signingIn.value = true)}>{t("signin")}</button>
          : <Who />}
      </header>
      <div class="office">
        {me.value !== null && <Sections />}
        <main id="main" tabIndex={-1}><Current /></main>
      </div>
      <footer class="foot">
        <div class="switches">
          <Switches />
          {me.value !== null && <button type="button" id="keys" class="ghost" aria-keyshortcuts="?" onClick={showKeys}>{t("keyboard.show")}</button>}
          <a href={`${served.path}/`}>{t("foot.play")}</a>
          <a href={`${served.base}/docs`}>{t("foot.api")}</a>
        </div>
      </footer>
      {signingIn.value && <SignIn onClose={() => (signingIn.value = false)} />}
      <Asking />
      <Secrets />
      <Keys />
      <NoticeList />
    </>
  );
}

function Who() {
  const who = session.value;
  return who === null ? null : (
    <div class="who">
      <span><strong>{me.value?.role}</strong> <code title={who.wallet}>{short(who.wallet)}</code>{me.value?.agentCode != null && <> · {me.value.agentCode}</>}</span>
      <button type="button" onClick={() => signOut().catch(complain)}>{t("signout")}</button>
    </div>
  );
}

function Sections() {
  return (
    <nav class="side" aria-label={t("nav")}>
      <ul>
        {sections().map((each) => {
          const count = waitingIn(each.name);
          return (
            <li key={each.name}>
              <a href={to(each.name)} aria-current={(route.value[0] ?? "overview") === each.name ? "page" : undefined}>
                {t(each.text)}{count > 0 && <span class="count" data-count={each.name}>{figure(count)}</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** The view in the address, if the role may see it. */
function Current() {
  const who = session.value;
  if (who === null) {
    return (
      <div class="panel missing">
        <h1>{t("console")}</h1>
        <p>{t("welcome")}</p>
        <button type="button" class="primary" onClick={() => (signingIn.value = true)}>{t("signin")}</button>
      </div>
    );
  }
  if (stranger.value) {
    return (
      <div class="panel missing" id="stranger">
        <h1>{t("stranger.title")}</h1>
        <p>{t("stranger.wallet")}<br /><code>{who.wallet}</code></p>
        <p class="muted">{t("stranger.explain")}</p>
      </div>
    );
  }
  if (me.value === null) return <Loading failure={null} />;
  const [first = "overview", second] = route.value;
  const section = sections().find((each) => each.name === first);
  const one = second !== undefined && !second.includes("=") ? second : undefined;
  if (section === undefined || (one !== undefined && section.One === undefined)) {
    return <div class="panel missing"><h1>{t("missing.title")}</h1><p class="muted">{t("absent")}</p><a class="button" href="#/">{t("nav.overview")}</a></div>;
  }
  return one !== undefined && section.One !== undefined ? <section.One id={one} key={`${first}/${one}`} /> : <section.View key={first} />;
}
