// Languages, one file each: English is always loaded, others when they are chosen. The default
// language is Portuguese, as for the API's launches.

import { signal } from "@preact/signals";
import type { components } from "@casino-service/client";
import en from "../locales/en.json";
import { keep, kept } from "./kept";

type Schemas = components["schemas"];
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
/** Texts of the service's refusals in languages other than the service's. */
const portugueseRefusals = async (): Promise<Refusals> => (await import("../locales/refusals.pt-BR.json")).default;

type Refusals = Record<Schemas["Error"]["code"], string>;
let refusals: Refusals | null = null;

/** A refusal in the reader's language; undefined if the service's text is in it. */
export function refusal(code: keyof Refusals): string | undefined {
  return refusals?.[code];
}

/** Loads every language now, for pages that must work without a network later. */
export async function loadLanguages(): Promise<void> {
  await Promise.all([portuguese(), portugueseRefusals()]);
}

type Texts = Record<string, string>;
let own: Record<Language, () => Promise<Texts>> | null = null;

/** Adds a page's own texts to those of all pages; call it before beginLanguage. */
export function speakToo(texts: Record<Language, () => Promise<Texts>>): void {
  own = texts;
}

async function use(tag: Language): Promise<void> {
  const [all, more, refused] = await Promise.all([
    tag === "en" ? en : portuguese().then((file) => file.default), own?.[tag](), tag === "en" ? null : portugueseRefusals(),
  ]);
  refusals = refused;
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
