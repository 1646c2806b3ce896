import { Raw } from "./failure";
import { t } from "./i18n";
import { dismiss, notices } from "./notices";

/** The messages of the page, read out as they come. */
export function NoticeList() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((each) => (
        <div key={each.id} class={`notice ${each.kind}`}>
          <div>{each.text}<Raw text={each.raw} /></div>
          <button type="button" class="ghost round" aria-label={t("close")} onClick={() => dismiss(each.id)}>✕</button>
        </div>
      ))}
    </div>
  );
}
