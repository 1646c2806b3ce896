// Parts of the page that need a session; without one they ask to sign in.

import { Fragment, type ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { happened } from "../../shared/happened";
import { t } from "../../shared/i18n";
import { complain } from "../../shared/notices";
import { session } from "../../shared/session";
import { askToSignIn } from "../view";

/** Shows nothing of one wallet to the next one: a tab may take another's session. */
export function Private({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <h1>{title}</h1>
      {session.value !== null ? <Fragment key={session.value.wallet}>{children}</Fragment> : <Visitor />}
    </>
  );
}

/** Asks to sign in. */
export function Visitor() {
  return (
    <div class="panel missing">
      <p>{t("private.explain")}</p>
      <button type="button" class="primary" onClick={askToSignIn}>{t("signin")}</button>
    </div>
  );
}

/** Data of the service, read again after the caller's events. */
export function useRead<T>(read: () => Promise<T>, ...on: unknown[]): [T | null, () => void] {
  const [got, set] = useState<T | null>(null);
  const turn = useRef(0);
  const again = () => {
    const mine = ++turn.current; // a late answer is older than the shown one
    if (session.value !== null) read().then((found) => mine === turn.current && set(found), complain);
  };
  useEffect(again, [session.value?.wallet, happened.value, ...on]);
  return [got, again];
}
