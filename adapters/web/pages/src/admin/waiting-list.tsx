import { counted, figure, t } from "./text";
import { waits } from "./waits";

/** What waits for the signed-in admin, as links; events keep it up to date. */
export function WaitingList() {
  const all = waits.value;
  return (
    <section class="panel" id="waits" aria-live="polite" aria-busy={all === null}>
      <h2>{t("waits.title")}</h2>
      {all === null && <p class="muted">{t("loading")}</p>}
      {all?.length === 0 && <p class="muted">{t("waits.none")}</p>}
      {all !== null && all.length > 0 && (
        <ul class="waits">
          {all.map((each) => (
            <li key={each.text}><a class="button" href={each.href} data-waits={each.text.slice("waits.".length)}>{counted(each.text, each.count, `${figure(each.count)}${each.more === true ? "+" : ""}`)}</a></li>
          ))}
        </ul>
      )}
    </section>
  );
}
