import { numberAt } from "@toolhost/tool-schema/json";
import type { Appearance } from "./host.ts";

const allowedVariable = /^--(?:color|font|border|shadow)-[a-z0-9-]{1,60}$/;

/** Applies the host's theme, colors and fonts. */
export function applyAppearance({ theme, variables, insets }: Appearance): void {
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") root.style.colorScheme = theme;
  for (const [name, value] of Object.entries(variables ?? {})) {
    if (allowedVariable.test(name) && typeof value === "string")
      root.style.setProperty(name, value);
  }
  for (const side of ["top", "right", "bottom", "left"] as const) {
    const inset = numberAt(insets ?? {}, side);
    if (inset !== undefined) document.body.style.setProperty(`padding-${side}`, `${12 + inset}px`);
  }
}

/** Reports the size of the widget to the host, now and whenever it changes. */
export function reportSize(resize: (width: number, height: number) => void): void {
  let last = "";
  const report = () => {
    const { width, height } = document.body.getBoundingClientRect();
    const size = `${Math.ceil(width)} ${Math.ceil(height)}`;
    if (size === last) return;
    last = size;
    resize(Math.ceil(width), Math.ceil(height));
  };
  new ResizeObserver(report).observe(document.body);
  report();
}
