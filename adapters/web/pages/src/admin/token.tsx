// The choice of a token in a form, and an amount of it.

import { useState } from "preact/hooks";
import { allowed, AmountInput } from "../shared/amount-input";
import { Select } from "../shared/fields";
import { say } from "../shared/notices";
import { symbol, terms, tokens } from "./store";
import { t } from "./text";

/** The tokens with their signs, as a choice has them. */
export function tokenOptions(): [string, string][] {
  return tokens.value.map((each) => [each.token, each.symbol]);
}

export function Token({ value, onChange }: { value: string; onChange: (mint: string) => void }) {
  return <Select label={t("token")} value={value} options={tokenOptions()} onChange={onChange} />;
}

/** An amount of a token in a form's row: its fields, and take, which returns what was typed, or null
 * and says that it can't be sent. Tokens may be loaded after the form is shown, so the meant one or
 * the first isn't stored as a choice. */
export function useAmount(zero = false, meant?: string) {
  const [chosen, setToken] = useState(meant);
  const [text, setText] = useState("");
  const token = chosen !== undefined && terms(chosen) !== undefined ? chosen : tokens.value[0]?.token ?? "";
  const decimals = terms(token)?.decimals ?? 0;
  const fields = (
    <>
      <Token value={token} onChange={setToken} />
      <AmountInput class="amount" required hint={null} zero={zero} label={t("amount")} symbol={symbol(token)} decimals={decimals} value={text} onInput={setText} />
    </>
  );
  const take = () => {
    const sum = allowed(text, decimals, { zero });
    if (sum === null) say(t("amount.wrong"), "bad");
    return sum;
  };
  return { token, fields, setToken, setText, take };
}
