// A dialog over the page: the browser's element, which keeps the focus and closes on Escape.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "./i18n";

interface Props {
  title: string;
  onClose: () => void;
  /** A click beside it doesn't close it. */
  firm?: boolean;
  children: ComponentChildren;
}

export function Dialog({ title, onClose, firm, children }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    box.current?.showModal();
  }, []);
  return (
    <dialog ref={box} class="dialog" aria-labelledby={heading} onClose={onClose} onClick={(e) => firm !== true && e.target === box.current && onClose()}>
      <div class="dialog-body">
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" class="ghost round" aria-label={t("close")} onClick={onClose}>✕</button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
