// Small things that every view shows the same way.

import type { ComponentChildren } from "preact";
export { Fact } from "../shared/fact";
import { language, maybe } from "../shared/i18n";
import type { Integer } from "@casino-service/client";
import { explain } from "../shared/notices";
import { to } from "../shared/route";
import { short } from "../shared/session";
import { t } from "./text";

/** A time; null for what existed from the beginning. */
export function When({ at }: { at: Integer }) {
  if (BigInt(at) === 0n) return <>–</>;
  const date = new Date(Number(at));
  return <time dateTime={date.toISOString()} title={date.toISOString()}>{date.toLocaleString(language.value, { dateStyle: "short", timeStyle: "medium" })}</time>;
}

/** A shortened address; hovering or copying gives the whole one. */
export function Address({ of, link }: { of: string; link?: boolean }) {
  return link ? <a href={to("players", of)} title={of}><code>{short(of)}</code></a> : <code title={of}>{short(of)}</code>;
}

const GOOD = new Set(["credited", "completed", "active", "within", "ok", "enabled", "approved"]);
const BAD = new Set(["rejected", "failed", "frozen", "excluded", "outside", "down", "disabled", "blocked", "degraded", "paused"]);

export function Status({ of }: { of: string }) {
  return <span class={`tag ${GOOD.has(of) ? "good" : BAD.has(of) ? "bad" : ""}`}>{maybe(`status.${of}`) ?? of}</span>;
}

export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

/** A flag that should catch the reader's attention. */
export function Flag({ kind, children }: { kind: "bad" | "warn" | "good"; children: ComponentChildren }) {
  return <li class={`flag ${kind}`}><span class="hidden">{t(`flag.${kind}`)}: </span>{children}</li>;
}

/** Shown while data loads, or if it couldn't be read. */
export function Loading({ failure }: { failure: unknown }) {
  return failure === null ? <p class="loading" role="status">{t("loading")}</p> : <p class="refused" role="alert">{explain(failure)}</p>;
}
