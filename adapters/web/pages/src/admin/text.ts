// The console's texts, in addition to those of every page.

import type en from "../locales/admin/en.json";
import { language, maybe, speakToo, t as say, type Key } from "../shared/i18n";
import { pluralOf } from "../shared/plural";

export type Text = Key | keyof typeof en;
/** A text with a form for one and others for more. */
export type Counted = { [K in keyof typeof en]: K extends `${infer Of}.other` ? Of : never }[keyof typeof en];

export const t = say as (key: Text, values?: Record<string, string | number>) => string;

/** A number in the reader's language. */
export function figure(of: number | bigint): string {
  return new Intl.NumberFormat(language.value).format(of);
}

/** A counted text, in the form that its count takes. */
export function counted(key: Counted, count: number, shown = figure(count)): string {
  return t(pluralOf(key, count, language.value, (form) => maybe(form) !== undefined) as Text, { count: shown });
}

export function beginTexts(): void {
  speakToo({
    en: async () => (await import("../locales/admin/en.json")).default,
    "pt-BR": async () => (await import("../locales/admin/pt-BR.json")).default,
  });
}
