// Languages, one file each: English is always loaded, others when they are chosen. The default
// language is Portuguese, as for the API's launches.

import { signal } from "@preact/signals";
import en from "../locales/en.json";
import { keep, kept } from "./kept";
import { mark, times as exact } from "./money";
import type { Texts as RefusalTexts } from "./refusals";

export type Key = keyof typeof en;
export type Language = "en" | "pt-BR";

export const languages: Record<Language, string> = { en: "English", "pt-BR": "Português" };
const DEFAULT: Language = "pt-BR";
const KEPT = "casino.language";

const messages = signal<Record<string, string>>(en);
export const language = signal<Language>("en");

/** The chosen language, else the first supported one of the browser's. */
function preferred(): Language {
  const known = Object.keys(languages) as Language[];
  const wanted = [kept(KEPT) ?? "", ...navigator.languages];
  for (const tag of wanted) {
    const found = known.find((each) => each.split("-")[0] === tag.split("-")[0]);
    if (found !== undefined) return found;
  }
  return DEFAULT;
}

const portuguese = () => import("../locales/pt-BR.json");
/** Texts of failures. */
const failures: Record<Language, () => Promise<RefusalTexts>> = {
  en: async () => (await import("../locales/refusals.en.json")).default,
  "pt-BR": async () => (await import("../locales/refusals.pt-BR.json")).default,
};

/** The texts of failures in the reader's language; null before beginLanguage. */
export let failureTexts: RefusalTexts | null = null;

/** Loads every language now, for pages that must work without a network later. */
export async function loadLanguages(): Promise<void> {
  await Promise.all([portuguese(), ...Object.values(failures).map((load) => load())]);
}

type Texts = Record<string, string>;
let own: Record<Language, () => Promise<Texts>> | null = null;

/** Adds a page's own texts to those of all pages; call it before beginLanguage. */
export function speakToo(texts: Record<Language, () => Promise<Texts>>): void {
  own = texts;
}

async function use(tag: Language): Promise<void> {
  const [all, more, refused] = await Promise.all([
    tag === "en" ? en : portuguese().then((file) => file.default), own?.[tag](), failures[tag](),
  ]);
  failureTexts = refused;
  messages.value = { ...all, ...more };
  language.value = tag;
  document.documentElement.lang = tag;
}

export function beginLanguage(): Promise<void> {
  return use(preferred());
}

export function chooseLanguage(tag: Language): Promise<void> {
  keep(KEPT, tag);
  return use(tag);
}

/** A message with its values inserted for {name}. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return (messages.value[key] ?? en[key]).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** The message of a computed key, if there is one. */
export function maybe(key: string): string | undefined {
  return messages.value[key];
}

/** A multiplier for display, in the reader's language. */
export function times(multiplier: number | bigint | string): string {
  return exact(multiplier).replace(".", mark(language.value));
}

/** A number with two decimals, in the reader's language. */
export function hundredths(value: number): string {
  return value.toFixed(2).replace(".", mark(language.value));
}
