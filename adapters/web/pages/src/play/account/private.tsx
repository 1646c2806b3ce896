// Parts of the page that are somebody's: whoever isn't signed in is asked to.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../shared/i18n";
import { complain } from "../../shared/notices";
import { session } from "../../shared/session";
import { happened } from "../store";
import { askToSignIn } from "../view";

export function Private({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <>
      <h1>{title}</h1>
      {session.value !== null ? children : (
        <div class="panel missing">
          <p>{t("private.explain")}</p>
          <button type="button" class="primary" onClick={askToSignIn}>{t("signin")}</button>
        </div>
      )}
    </>
  );
}

/** What the service says, read again when something happened to the caller. */
export function useRead<T>(read: () => Promise<T>, ...on: unknown[]): [T | null, () => void] {
  const [got, set] = useState<T | null>(null);
  const turn = useRef(0);
  const again = () => {
    const mine = ++turn.current; // an answer that comes after a later one's is older than what is shown
    if (session.value !== null) read().then((found) => mine === turn.current && set(found), complain);
  };
  useEffect(again, [session.value?.wallet, happened.value, ...on]);
  return [got, again];
}
