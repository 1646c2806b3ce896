// The wallet: deposits, withdrawals and transactions, one tab each. The tab is in the address.

import { useRef } from "preact/hooks";
import { t } from "../../shared/i18n";
import { query, setQuery } from "../../shared/route";
import { token } from "../store";
import { Deposit } from "./wallet-deposit";
import { Transactions } from "./wallet-transactions";
import { Withdraw } from "./wallet-withdraw";
import { Private } from "./private";
import "./account.css";

const TABS = ["deposit", "withdraw", "transactions"] as const;

export default function Wallet() {
  const of = token.value;
  const tab = TABS.find((each) => each === query.value.tab) ?? "deposit";
  return (
    <Private title={t("nav.wallet")}>
      <Tabs now={tab} />
      {TABS.map((each) => (
        <div key={each} class="wallet-pane" role="tabpanel" id={`pane-${each}`} aria-labelledby={`tab-${each}`} hidden={each !== tab}>
          {each === "deposit" && of !== null && <Deposit of={of} key={of.token} />}
          {each === "withdraw" && of !== null && <Withdraw of={of} key={of.token} />}
          {each === "transactions" && <Transactions />}
        </div>
      ))}
    </Private>
  );
}

function Tabs({ now }: { now: (typeof TABS)[number] }) {
  const list = useRef<HTMLDivElement>(null);
  const step = (e: { key: string }) => {
    const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    const next = TABS[(TABS.indexOf(now) + by + TABS.length) % TABS.length];
    if (by === 0 || next === undefined) return;
    setQuery({ tab: next });
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={t("nav.wallet")} ref={list} onKeyDown={step}>
      {TABS.map((each) => (
        <button type="button" key={each} role="tab" id={`tab-${each}`} aria-controls={`pane-${each}`} aria-selected={each === now} tabIndex={each === now ? 0 : -1} onClick={() => setQuery({ tab: each })}>
          {t(each)}
        </button>
      ))}
    </div>
  );
}
