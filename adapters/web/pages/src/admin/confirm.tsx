// Asks before every change: shows what will happen, and takes the reason for the audit log.

import { effect, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Unknown } from "../shared/api";
import { Dialog } from "../shared/dialog";
import { Failure } from "../shared/failure";
import { Input } from "../shared/fields";
import { refresh } from "../shared/happened";
import { say } from "../shared/notices";
import { session } from "../shared/session";
import { secrets } from "./secrets";
import { t } from "./text";

interface Question<T> {
  title: string;
  /** What will happen. */
  children: ComponentChildren;
  /** The button's label. */
  act: string;
  danger?: boolean;
  /** The text to enter: a required reason, or a note. */
  text?: "reason" | "note";
  /** Makes the change. */
  run: (text: string) => Promise<T>;
  /** The message to show then, or what makes it of the answer. */
  done: string | ((answer: T) => string);
}

const question = signal<Question<never> | null>(null);
const TEXT_MAX = 500;

export function ask<T>(about: Question<T>): void {
  question.value = about as unknown as Question<never>;
}

/** A question and secrets are dropped when the session ends. */
export function beginAsking(): void {
  effect(() => {
    if (session.value !== null) return;
    question.value = null;
    secrets.value = null;
  });
}

export function Asking() {
  const about = question.value;
  return about === null ? null : <Confirm about={about} key={about.title} />;
}

function Confirm({ about }: { about: Question<never> }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const close = () => (question.value = null);
  const run = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const answer = await about.run(text.trim());
      say(typeof about.done === "string" ? about.done : about.done(answer), "good");
      close();
      refresh();
    } catch (refused) {
      setFailure(refused);
      setBusy(false);
    }
  };
  return (
    <Dialog title={about.title} onClose={close}>
      <form id="confirm" onSubmit={(e) => { e.preventDefault(); if (!busy) void run(); }}>
        <div class="happens">{about.children}</div>
        {about.text !== undefined && (
          <Input label={t(about.text === "reason" ? "confirm.reason" : "confirm.note")} maxLength={TEXT_MAX} readOnly={failure instanceof Unknown}
            required={about.text === "reason"} value={text} onInput={(e) => setText(e.currentTarget.value)} />
        )}
        {failure !== null && <Failure of={failure} />}
        <div class="row end">
          <button type="button" onClick={close}>{t("cancel")}</button>
          <button type="submit" class={about.danger ? "danger" : "primary"} disabled={busy}>{about.act}</button>
        </div>
      </form>
    </Dialog>
  );
}
