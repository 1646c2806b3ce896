// The console's texts, in addition to those of every page.

import type en from "../locales/admin/en.json";
import { speakToo, t as say, type Key } from "../shared/i18n";

export type Text = Key | keyof typeof en;

export const t = say as (key: Text, values?: Record<string, string | number>) => string;

export function beginTexts(): void {
  speakToo({
    en: async () => (await import("../locales/admin/en.json")).default,
    "pt-BR": async () => (await import("../locales/admin/pt-BR.json")).default,
  });
}
