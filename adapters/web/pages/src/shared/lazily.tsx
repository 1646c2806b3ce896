// Parts of a page that load when they are first shown.

import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "./i18n";
import { explain } from "./notices";

type Module<P> = { default: FunctionComponent<P> };

export function lazily<P extends object = object>(load: () => Promise<Module<P>>): FunctionComponent<P> {
  let loaded: FunctionComponent<P> | null = null;
  return function Lazily(props: P) {
    const [Part, set] = useState<FunctionComponent<P> | null>(() => loaded);
    const [failure, setFailure] = useState<unknown>(null);
    useEffect(() => {
      if (loaded !== null) return;
      load().then((module) => {
        loaded = module.default;
        set(() => module.default);
      }, setFailure);
    }, []);
    if (failure !== null) return <p class="panel">{explain(failure)}</p>;
    return Part === null ? <p class="loading" role="status">{t("loading")}</p> : <Part {...props} />;
  };
}
