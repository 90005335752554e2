import type { JsonObject } from "@toolhost/contract";

export type Json = JsonObject[string];

/** The first characters of a text, marked where some are missing. Never half of a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/\p{Cs}$/u, "")}…`;
}

/**
 * JSON for people to judge: characters that show nothing, or turn the direction of others, are written out, so that
 * what is seen is what is sent.
 */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u0085\u00a0\u115f\u1160\u3164\uffa0]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}
