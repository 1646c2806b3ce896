import { chooseLanguage, language, languages, t, type Language } from "../shared/i18n";
import { complain } from "../shared/notices";
import { served } from "../shared/config";
import { theme, type Theme } from "../shared/theme";

const themes: Theme[] = ["system", "light", "dark"];

export function Footer() {
  return (
    <footer class="foot">
      <p class="muted">{t("foot.responsible")} <a href="#/limits">{t("nav.limits")}</a></p>
      <div class="switches">
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
        <a href={`${served.base}/docs`}>{t("foot.api")}</a>
      </div>
    </footer>
  );
}
