// Blackjack: the dealer above, the player's hands below.

import { maybe, t } from "../../shared/i18n";
import { Frame } from "../frame";
import { amount } from "../store";
import type { Table } from "../table";
import { Cards, DEAL_MS, total } from "./cards";

const motion = ({ outcome }: { outcome: unknown }) => DEAL_MS * (((outcome as { dealer?: string[] } | null)?.dealer?.length ?? 2) + 1);

export default function Blackjack({ table }: { table: Table }) {
  const open = table.open.value;
  const shown = (open?.shown ?? table.last.value?.outcome ?? {}) as { hands?: string[][]; dealer?: string[]; hand?: number; results?: string[] };
  const id = open?.id ?? table.last.value?.id ?? "";
  const dealer = shown.dealer ?? [];
  const actions = (open?.choices ?? []).map((choice) => (
    <button type="button" key={String(choice.action.type)} class={`wide-button ${choice.action.type === "stand" ? "" : "primary"}`} aria-disabled={table.busy.value}
      onClick={() => void table.act({ type: String(choice.action.type) })}>
      {maybe(`option.${choice.action.type}`) ?? String(choice.action.type)}
      {choice.stake !== undefined && <small>−{amount(choice.stake, open?.token ?? "")}</small>}
    </button>
  ));
  return (
    <Frame table={table} onBet={() => table.begin({})} actions={actions} betLabel={t("deal")} motion={motion}>
      <div class="blackjack">
        <div>
          <h2 class="side">{t("blackjack.dealer")} {dealer.length > 0 && table.revealed.value && <span class="tag">{total(dealer)}</span>}</h2>
          <Cards cards={dealer} backs={dealer.length === 0 ? 2 : open !== null ? 1 : 0} label={t("blackjack.dealer")} id={id} />
        </div>
        <div class="seats">
          {(shown.hands ?? [[]]).map((hand, i) => (
            <div key={i} class={open !== null && shown.hand === i ? "active" : ""}>
              <Cards cards={hand} backs={hand.length === 0 ? 2 : 0} label={t("blackjack.you")} id={id} />
              <h2 class="side">{t("blackjack.you")} {hand.length > 0 && <span class="tag">{total(hand)}</span>} {shown.results?.[i] !== undefined && table.revealed.value && <span class="tag">{maybe(`result.${shown.results[i]}`)}</span>}</h2>
            </div>
          ))}
        </div>
      </div>
    </Frame>
  );
}
