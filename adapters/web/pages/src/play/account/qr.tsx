// A QR code: black on white in both themes, with the margin that readers need.

import { encode } from "uqr";

const MARGIN = 4; // modules

export default function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: MARGIN });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} data-code={text} shape-rendering="crispEdges"><path d={path} fill="#000" /></svg>;
}
