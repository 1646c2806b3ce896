// Parts of a page that load when they are first shown.

import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "./i18n";

type Module<P> = { default: FunctionComponent<P> };

export function lazily<P extends object = object>(load: () => Promise<Module<P>>): FunctionComponent<P> {
  let loaded: FunctionComponent<P> | null = null;
  return function Lazily(props: P) {
    const [Part, set] = useState<FunctionComponent<P> | null>(() => loaded);
    const [failure, setFailure] = useState(false);
    useEffect(() => {
      if (loaded !== null) return;
      load().then((module) => {
        loaded = module.default;
        set(() => module.default);
      }, () => setFailure(true));
    }, []);
    if (failure) {
      return (
        <div class="panel missing" role="alert">
          <p>{t("error.part")}</p>
          <button type="button" onClick={() => location.reload()}>{t("error.reload")}</button>
        </div>
      );
    }
    return Part === null ? <p class="loading" role="status">{t("loading")}</p> : <Part {...props} />;
  };
}
