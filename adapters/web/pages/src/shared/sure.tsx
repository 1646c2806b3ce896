import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog";

interface Props {
  title: string;
  children: ComponentChildren;
  yes: string;
  no: string;
  danger?: boolean;
  onYes: () => void;
  onClose: () => void;
}

/** Asks before something that lasts. */
export function Sure({ title, children, yes, no, danger, onYes, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose} firm>
      <p>{children}</p>
      <div class="stack">
        <button type="button" class={danger === true ? "danger" : "primary"} id="sure" onClick={() => { onClose(); onYes(); }}>{yes}</button>
        <button type="button" onClick={onClose}>{no}</button>
      </div>
    </Dialog>
  );
}
