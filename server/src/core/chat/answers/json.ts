import type { JsonObject } from "@toolhost/contract";

export type Json = JsonObject[string];

/** Shortens a text with an ellipsis, without splitting a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/\p{Cs}$/u, "")}…`;
}

/** Like {@link cut}, without splitting a word. */
export function cutWords(text: string, most: number): string {
  const shown = cut(text, most);
  if (shown === text || text[shown.length - 1] === " ") return shown;
  return shown.replace(/\s*\S*…$/, (last) => (last.length > most / 2 ? last : "…"));
}

/** JSON for a user to check, which looks like what is sent. */
export function plainJson(value: unknown): string {
  return escapeInvisible(JSON.stringify(value, null, 2));
}

/** A text whose invisible characters and direction overrides are escaped. */
export function escapeInvisible(text: string): string {
  return text.replace(
    /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u0085\u00a0\u115f\u1160\u3164\uffa0]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}
