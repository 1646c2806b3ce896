// The choice of a token in a form.

import { useState } from "preact/hooks";
import { terms, tokens } from "./store";
import { t } from "./text";

/** The chosen token, else the given one or the first. Tokens may be loaded after the form is
 * shown, so a default isn't stored as a choice. */
export function useToken(meant?: string): [string, (mint: string) => void] {
  const [chosen, choose] = useState(meant);
  const known = chosen !== undefined && terms(chosen) !== undefined;
  return [known ? chosen : tokens.value[0]?.token ?? "", choose];
}

export function Token({ id, value, onChange }: { id: string; value: string; onChange: (mint: string) => void }) {
  return (
    <div class="field">
      <label for={id}>{t("token")}</label>
      <select id={id} required value={value} onChange={(e) => onChange(e.currentTarget.value)}>{tokens.value.map((each) => <option key={each.token} value={each.token}>{each.symbol}</option>)}</select>
    </div>
  );
}
