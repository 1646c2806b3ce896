import { filtered } from "./filters";
import { READ_MAX, type Past } from "./past";
import { Fact, Facts } from "./parts";
import { amount, symbol } from "./store";
import { counted, figure, t } from "./text";

/** A player's history, token by token, with links to the lists. */
export function PastView({ past, wallet, first }: { past: Past; wallet: string; first?: string }) {
  const mints = Object.keys(past.sums).sort((a, b) => Number(b === first) - Number(a === first));
  return (
    <section id="past">
      <h2>{t("past.title")}</h2>
      {mints.length === 0 && <p class="muted">{t("past.none")}</p>}
      {mints.map((mint) => {
        const of = past.sums[mint];
        return of === undefined ? null : (
          <div class="panel" key={mint} data-past={mint}>
            <h3>{symbol(mint)}</h3>
            <Facts>
              <Fact name={t("past.deposited", { number: figure(of.deposits) })}>{amount(of.deposited, mint)}</Fact>
              <Fact name={t("past.withdrawn", { number: figure(of.withdrawals) })}>{amount(of.withdrawn, mint)}</Fact>
              <Fact name={t("past.rejected")}>{of.rejected}</Fact>
              {of.adjusted !== 0n && <Fact name={t("past.adjusted")}>{amount(of.adjusted, mint)}</Fact>}
              <Fact name={counted("past.wagered", of.rounds)}>{amount(of.wagered, mint)}</Fact>
              <Fact name={t("past.won")}>{amount(of.won, mint)}</Fact>
              <Fact name={t("past.net")}><span class={of.won > of.wagered ? "gain" : ""}>{amount(of.won - of.wagered, mint)}</span></Fact>
              <Fact name={t("past.largest")}>{amount(of.largest, mint)}</Fact>
            </Facts>
          </div>
        );
      })}
      {(past.cut.transactions || past.cut.rounds) && <p class="hint">{t("past.cut", { number: figure(READ_MAX) })}</p>}
      <p class="row">
        <a class="button" href={filtered("transactions", { wallet })}>{t("past.transactions")}</a>
        <a class="button" href={filtered("rounds", { wallet })}>{t("past.rounds")}</a>
      </p>
    </section>
  );
}
