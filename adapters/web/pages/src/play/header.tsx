import { Brand } from "../shared/brand";
import { language, t } from "../shared/i18n";
import { complain } from "../shared/notices";
import { route, to } from "../shared/route";
import { session, short, signOut } from "../shared/session";
import { SessionBar } from "../shared/session-bar";
import { written } from "../shared/money";
import { chooseToken, shownBalance, token, tokens } from "./store";
import { askToSignIn } from "./view";

const sections = ["wallet", "history", "fairness", "limits", "account"] as const;

export function Header() {
  return (
    <header class="top">
      <Brand href="#/" />
      {session.value !== null && <Balance />}
      {session.value === null
        ? <button type="button" class="primary" onClick={askToSignIn}>{t("signin")}</button>
        : <SignedIn />}
      <nav class="sections" aria-label={t("nav")}>
        <a href="#/" aria-current={route.value.length === 0 || route.value[0] === "game" ? "page" : undefined}>{t("nav.games")}</a>
        {sections.map((each) => (
          <a key={each} href={to(each)} aria-current={route.value[0] === each ? "page" : undefined}>{t(`nav.${each}`)}</a>
        ))}
      </nav>
      <SessionBar />
    </header>
  );
}

/** The balance of the current token, and the choice of another. */
function Balance() {
  const of = token.value;
  if (of === null) return null;
  return (
    <div class="balance">
      <output aria-label={t("balance")} data-balance={String(shownBalance(of.token))}>
        {written(shownBalance(of.token), of.decimals, language.value)}
      </output>
      <select aria-label={t("token")} value={of.token} onChange={(e) => chooseToken(e.currentTarget.value)}>
        {tokens.value.filter((each) => !each.closing).map((each) => <option key={each.token} value={each.token}>{each.symbol}</option>)}
      </select>
      <a class="deposit" href="#/wallet" aria-label={t("deposit")}>+</a>
    </div>
  );
}

/** Closes the menu and returns the focus to its button. */
function close(menu: HTMLDetailsElement): void {
  menu.open = false;
  menu.querySelector("summary")?.focus();
}

function SignedIn() {
  const who = session.value;
  if (who === null) return null;
  return (
    <details class="who" key={route.value.join("/")} onKeyDown={(e) => e.key === "Escape" && close(e.currentTarget)}
      onFocusOut={(e) => e.relatedTarget instanceof Node && !e.currentTarget.contains(e.relatedTarget) && (e.currentTarget.open = false)}>
      <summary>
        <span class="hidden">{t("account", { wallet: short(who.wallet) })}</span>
        <span class="initial" aria-hidden="true">{who.name.charAt(0).toUpperCase()}</span>
        {who.demo && <span class="tag">{t("signin.demo")}</span>}
      </summary>
      <div class="menu">
        <p><strong>{who.name}</strong><br /><code title={who.wallet}>{short(who.wallet)}</code></p>
        <button type="button" onClick={() => signOut().catch(complain)}>{t("signout")}</button>
      </div>
    </details>
  );
}
