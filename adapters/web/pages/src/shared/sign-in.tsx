// Sign-in with a wallet or, in development, with a demo wallet, marked as such.

import { useState } from "preact/hooks";
import { useBusy } from "./busy";
import { Dialog } from "./dialog";
import { t } from "./i18n";
import { route } from "./route";
import { signIn } from "./session";
import "./sign-in.css";
import { inApp, walletApps } from "./wallet-apps";
import { wallets, type Wallet } from "./wallets";

export function SignIn({ onClose }: { onClose: () => void }) {
  const [busy, run] = useBusy();
  const [used, setUsed] = useState<Wallet | null>(null);
  const use = async (wallet: Wallet) => {
    setUsed(wallet);
    await signIn(wallet);
    onClose();
  };
  const own = wallets.value.filter((each) => !each.demo);
  const demo = wallets.value.filter((each) => each.demo);
  const button = (wallet: Wallet) => (
    <button type="button" key={wallet.name} class={`wallet ${wallet.demo ? "demo" : ""}`} disabled={busy} onClick={() => run(() => use(wallet))}>
      {wallet.icon !== null ? <img src={wallet.icon} alt="" width={32} height={32} /> : <span class="initial" aria-hidden="true">{wallet.name.charAt(0).toUpperCase()}</span>}
      <span>{wallet.name}</span>
      {wallet.demo && <span class="tag">{t("signin.demo")}</span>}
      {busy && used === wallet && <span class="waiting">{t("signin.waiting")}</span>}
    </button>
  );
  return (
    <Dialog title={t("signin.title")} onClose={onClose}>
      <p class="muted">{t("signin.explain")}</p>
      <div class="stack">{own.map(button)}</div>
      {own.length === 0 && <Elsewhere />}
      {demo.length > 0 && (
        <section>
          <h3>{t("signin.demo.title")}</h3>
          <p class="muted">{t("signin.demo.explain")}</p>
          <div class="stack">{demo.map(button)}</div>
        </section>
      )}
    </Dialog>
  );
}

/** For a browser without a wallet: the wallets' apps on a telephone, else where to get one. */
function Elsewhere() {
  void route.value; // the link names the page's present place
  const handheld = matchMedia("(pointer: coarse)").matches;
  return (
    <section class="elsewhere">
      <p class="hint">{t(handheld ? "signin.apps" : "signin.none")}</p>
      <div class="stack">
        {walletApps.map((app) => handheld
          ? <a key={app.name} class="button" href={inApp(app, location.href)}>{t("signin.app", { name: app.name })}</a>
          : <a key={app.name} class="button" href={app.site} target="_blank" rel="noopener noreferrer">{t("signin.get", { name: app.name })}</a>)}
      </div>
      {handheld && <p class="muted">{t("signin.back")}</p>}
    </section>
  );
}
