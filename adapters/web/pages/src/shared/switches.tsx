// The reader's choices, at the foot of every page.

import { chooseLanguage, language, languages, t, type Language } from "./i18n";
import { complain } from "./notices";
import { theme, type Theme } from "./theme";

const themes: Theme[] = ["system", "light", "dark"];

export function Switches() {
  return (
    <>
      <label>{t("language")}
        <select value={language.value} onChange={(e) => chooseLanguage(e.currentTarget.value as Language).catch(complain)}>
          {Object.entries(languages).map(([tag, name]) => <option key={tag} value={tag} lang={tag}>{name}</option>)}
        </select>
      </label>
      <label>{t("theme")}
        <select value={theme.value} onChange={(e) => (theme.value = e.currentTarget.value as Theme)}>
          {themes.map((each) => <option key={each} value={each}>{t(`theme.${each}` as "theme.dark")}</option>)}
        </select>
      </label>
    </>
  );
}
