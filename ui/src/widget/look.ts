import { numberAt } from "@toolhost/tool-schema/json";
import type { Look } from "./host.ts";

const known = /^--(?:color|font|border|shadow)-[a-z0-9-]{1,60}$/;

/** Takes over the host's theme, colors and fonts. */
export function applyLook({ theme, variables, insets }: Look): void {
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") root.style.colorScheme = theme;
  for (const [name, value] of Object.entries(variables ?? {})) {
    if (known.test(name) && typeof value === "string") root.style.setProperty(name, value);
  }
  for (const side of ["top", "right", "bottom", "left"] as const) {
    const inset = numberAt(insets ?? {}, side);
    if (inset !== undefined) document.body.style.setProperty(`padding-${side}`, `${12 + inset}px`);
  }
}

/** Tells the host how large the widget is, now and whenever that changes. */
export function followSize(resize: (width: number, height: number) => void): void {
  let last = "";
  const tell = () => {
    const { width, height } = document.body.getBoundingClientRect();
    const size = `${Math.ceil(width)} ${Math.ceil(height)}`;
    if (size === last) return;
    last = size;
    resize(Math.ceil(width), Math.ceil(height));
  };
  new ResizeObserver(tell).observe(document.body);
  tell();
}
