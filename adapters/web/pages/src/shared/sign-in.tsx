// Sign-in with a wallet or, in development, with a demo wallet, marked as such.

import { useState } from "preact/hooks";
import { Dialog } from "./dialog";
import { t } from "./i18n";
import { complain } from "./notices";
import { signIn } from "./session";
import { wallets, type Wallet } from "./wallets";

export function SignIn({ onClose }: { onClose: () => void }) {
  const [busy, setBusy] = useState<Wallet | null>(null);
  const use = async (wallet: Wallet) => {
    setBusy(wallet);
    try {
      await signIn(wallet);
      onClose();
    } catch (failure) {
      complain(failure);
      setBusy(null);
    }
  };
  const own = wallets.value.filter((each) => !each.demo);
  const demo = wallets.value.filter((each) => each.demo);
  const button = (wallet: Wallet) => (
    <button type="button" key={wallet.name} class={`wallet ${wallet.demo ? "demo" : ""}`} disabled={busy !== null} onClick={() => use(wallet)}>
      {wallet.icon !== null ? <img src={wallet.icon} alt="" width={32} height={32} /> : <span class="initial" aria-hidden="true">{wallet.name.charAt(0).toUpperCase()}</span>}
      <span>{wallet.name}</span>
      {wallet.demo && <span class="tag">{t("signin.demo")}</span>}
      {busy === wallet && <span class="waiting">{t("signin.waiting")}</span>}
    </button>
  );
  return (
    <Dialog title={t("signin.title")} onClose={onClose}>
      <p class="muted">{t("signin.explain")}</p>
      <div class="stack">{own.map(button)}</div>
      {own.length === 0 && <p class="hint">{t("signin.none")}</p>}
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
