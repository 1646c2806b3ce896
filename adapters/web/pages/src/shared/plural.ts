// Forms of counted texts, as a language declines them (Unicode CLDR).

/** Returns the key of the form for a count: key.one, key.many and so on where a text has it, else
 * key.other. */
export function pluralOf(key: string, count: number, language: string, has: (key: string) => boolean): string {
  const form = `${key}.${new Intl.PluralRules(language).select(count)}`;
  return has(form) ? form : `${key}.other`;
}
