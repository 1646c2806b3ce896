// Short messages of the page: read out by screen readers, gone after a while.

import { signal } from "@preact/signals";
import { Refusal, Unknown, unreached } from "./api";
import { refusal, t } from "./i18n";

export interface Notice {
  id: number;
  kind: "good" | "bad" | "plain";
  text: string;
}

export const notices = signal<Notice[]>([]);
const SHOWN_MS = 7000;
let last = 0;

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id);
}

export function say(text: string, kind: Notice["kind"] = "plain"): void {
  const id = ++last;
  notices.value = [...notices.value.slice(-3), { id, kind, text }];
  setTimeout(() => dismiss(id), SHOWN_MS);
}

/** A failure in words: the service's text, or that it can't be reached. */
export function explain(failure: unknown): string {
  if (failure instanceof Refusal) {
    const text = failure.message.charAt(0).toUpperCase() + failure.message.slice(1);
    if (failure.code === "INTERNAL_ERROR") return `${refusal(failure.code) ?? text} (${failure.requestId})`;
    const words = refusal(failure.code);
    if (words === undefined) return text;
    return Object.keys(failure.details).length > 0 ? `${words} (${text})` : words; // the service's text names the details
  }
  if (failure instanceof Unknown) return t("error.unknown") + (failure.cause instanceof Refusal && failure.cause.requestId !== "" ? ` (${failure.cause.requestId})` : "");
  if (unreached(failure)) return t("error.unreachable");
  return failure instanceof Error ? failure.message : String(failure);
}

export function complain(failure: unknown): void {
  say(explain(failure), "bad");
}
