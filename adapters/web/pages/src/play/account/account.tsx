// The player's account: who is signed in, the way to everything that is theirs, and their choices.

import { Copied } from "../../shared/copied";
import { t, type Key } from "../../shared/i18n";
import { complain } from "../../shared/notices";
import { session, signOut } from "../../shared/session";
import { Switches } from "../../shared/switches";
import { play, sound } from "../sound";
import { Visitor } from "./private";
import "./account.css";

const PLACES: { to: string; text: Key; explain: Key }[] = [
  { to: "wallet", text: "nav.wallet", explain: "account.wallet" },
  { to: "statistics", text: "statistics", explain: "account.statistics" },
  { to: "history", text: "nav.history", explain: "account.history" },
  { to: "limits", text: "nav.limits", explain: "account.limits" },
  { to: "fairness", text: "nav.fairness", explain: "account.fairness" },
];

function Who() {
  const who = session.value;
  if (who === null) return <Visitor />;
  return (
    <section class="panel who-is">
      <p><strong>{who.name}</strong> {who.demo && <span class="tag">{t("signin.demo")}</span>}</p>
      <Copied text={who.wallet} label={t("account.address")} />
      <button type="button" id="sign-out" onClick={() => signOut().catch(complain)}>{t("signout")}</button>
    </section>
  );
}

export default function Account() {
  const turn = (on: boolean) => {
    sound.value = on;
    play("won");
  };
  return (
    <>
      <h1>{t("nav.account")}</h1>
      <Who />
      <nav class="panel account-places" aria-label={t("nav.account")}>
        {PLACES.map(({ to, text, explain }) => <a key={to} href={`#/${to}`}><strong>{t(text)}</strong><span class="muted">{t(explain)}</span></a>)}
      </nav>
      <section class="panel choices">
        <h2>{t("account.choices")}</h2>
        <Switches />
        <label class="check"><input type="checkbox" id="sound" checked={sound.value} onChange={(e) => turn(e.currentTarget.checked)} /> {t("account.sound")}</label>
      </section>
    </>
  );
}
