import { AmountInput } from "../shared/amount-input";
import { symbol, terms } from "./store";
import { t } from "./text";

interface Props {
  token: string;
  value: string;
  onInput: (text: string) => void;
  /** Zero is an amount too, such as of a limit. */
  zero?: boolean;
}

/** The input of an amount in a form's row. */
export function TokenAmount({ token, ...props }: Props) {
  return <AmountInput {...props} class="amount" required hint={null} label={t("amount")} symbol={symbol(token)} decimals={terms(token)?.decimals ?? 0} />;
}
