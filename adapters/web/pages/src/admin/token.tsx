// The choice of a token in a form.

import { useState } from "preact/hooks";
import { terms, tokens } from "./store";
import { t } from "./text";

/** The token that is chosen: until somebody chooses, the one that is meant, or else the
 * first. Tokens may be read after the form is shown, so none is kept that nobody chose. */
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
