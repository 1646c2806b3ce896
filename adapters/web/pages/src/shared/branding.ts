// The operator's name, logo and colour, read from the service at run time.

import { effect, signal } from "@preact/signals";
import { api, type Schemas } from "./api";
import { dark } from "./theme";

export const branding = signal<Schemas["Branding"]>({ title: "Casino", logoUrl: "", accentColor: "#7c3aed" });

type Colour = [number, number, number];

function read(hex: string): Colour {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as Colour;
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: Colour): number {
  const [r, g, b] = colour.map((part) => {
    const c = part / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as Colour;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Colour, b: Colour): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const SEEN = 3; // WCAG AA's minimum for a button's shape
const DEEP = 5.6; // also readable with a white that isn't pure
const READABLE = 4.6; // a little above WCAG AA's minimum, because colours are rounded

/** The nearest colour, towards black or white, that is readable on a ground. */
function readable(colour: Colour, ground: Colour, least = READABLE): Colour {
  const end = luminance(ground) > 0.18 ? 0 : 255;
  for (let step = 0; step <= 20; step++) {
    const mixed = colour.map((part) => Math.round(part + ((end - part) * step) / 20)) as Colour;
    if (contrast(mixed, ground) >= least) return mixed;
  }
  return [end, end, end];
}

const PANELS: Record<"dark" | "light", Colour> = { dark: [35, 42, 58], light: [238, 241, 246] }; // the least favourable grounds of styles.css
const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [12, 14, 20];

function css(colour: Colour): string {
  return `rgb(${colour.join(" ")})`;
}

/** Applies the colour so that everything written in it, or on it, is readable. */
function paint(): void {
  const accent = read(branding.value.accentColor);
  const root = document.documentElement.style;
  root.setProperty("--accent", css(accent));
  root.setProperty("--on-accent", css(contrast(WHITE, accent) >= READABLE ? WHITE : BLACK));
  const ground = PANELS[dark() ? "dark" : "light"];
  const text = css(readable(accent, ground));
  root.setProperty("--accent-text", text);
  root.setProperty("--accent-deep", css(readable(accent, WHITE, DEEP)));
  root.setProperty("--accent-edge", contrast(accent, ground) < SEEN ? text : "transparent");
}

/** The operator's logo; null for example.com (RFC 2606), the default. */
export function logo(): string | null {
  try {
    const { hostname } = new URL(branding.value.logoUrl);
    return hostname === "example.com" ? null : branding.value.logoUrl;
  } catch {
    return null;
  }
}

/** Applies the operator's branding; pages other than the first put their own name before the
 * operator's. */
export function beginBranding(name: () => string = () => ""): void {
  effect(() => {
    document.title = [name(), branding.value.title].filter(Boolean).join(" · ");
    paint();
  });
  api.get("/public/whitelabel").then(
    (set) => (branding.value = set),
    () => {}, // the page works in its own colours
  );
}
