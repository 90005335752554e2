const key = "toolhost-theme";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** The theme selected in this browser. */
export function currentTheme(): Theme {
  const stored = localStorage.getItem(key);
  return themes.find((theme) => theme === stored) ?? "system";
}

/** Selects and shows a theme. */
export function applyTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
}
