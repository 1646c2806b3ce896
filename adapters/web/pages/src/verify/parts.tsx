import type { ComponentChildren } from "preact";
import { t } from "../shared/i18n";

/** Shows whether two values are the same, by sign, colour and word. */
export function Mark({ same }: { same: boolean }) {
  return <span class={`mark-of ${same ? "good" : "bad"}`}>{same ? `✓ ${t("same")}` : `✗ ${t("other")}`}</span>;
}

/** A step of the proof. */
export function Stage({ title, same, id, children }: { title: string; same?: boolean; id: string; children: ComponentChildren }) {
  return (
    <li class="panel" id={id} data-same={same}>
      <h2>{title} {same !== undefined && <Mark same={same} />}</h2>
      {children}
    </li>
  );
}

export function Again() {
  return <a class="button" href="#">{t("verify.another")}</a>;
}
