// Says that the session ends soon or has ended, and continues it by one signature.

import { useBusy } from "./busy";
import { language, t } from "./i18n";
import { say } from "./notices";
import { forget, held, phase, renew, session, short } from "./session";
import "./session-bar.css";

const time = (at: number) => new Date(at).toLocaleTimeString(language.value, { timeStyle: "short" });

export function SessionBar() {
  const [busy, run] = useBusy();
  const now = held.value;
  const over = session.value === null;
  const shown = now !== null && (over || phase.value === "ending");
  const go = async () => {
    await renew();
    say(t("session.renewed", { time: time(held.value?.endsAt ?? 0) }), "good");
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true }); // the button is gone
  };
  return (
    <div class="session-bar">
      <div class={shown ? "shown-bar" : ""}>
        <p role="status">{shown && (over ? t("session.over") : t("session.ends", { time: time(now.endsAt) }))}</p>
        {shown && (
          <button type="button" class="primary" aria-disabled={busy} onClick={() => run(go)}>
            {busy ? t("signin.waiting") : over ? t("session.continue", { wallet: short(now.wallet) }) : t("session.stay")}
          </button>
        )}
        {shown && over && <button type="button" class="ghost round" aria-label={t("close")} onClick={forget}>✕</button>}
      </div>
    </div>
  );
}
