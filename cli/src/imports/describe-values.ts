import type { RequestDraft } from "@toolhost/tool-schema/curl";
import { toLine } from "../terminal/text.ts";

/** A value of the command that the draft contains: the example of an input, or written into the code. */
export type DraftValue = { in: string; name: string; value: unknown; use: "input" | "fixed" };

/** The values of the command that were sent. Inputs without an example have none. */
export function valuesIn({ fields }: RequestDraft): DraftValue[] {
  return fields.flatMap((field): DraftValue[] => {
    if (field.from === "fixed") {
      return [{ in: field.in, name: field.name, value: field.value, use: "fixed" }];
    }
    if (field.from !== "input" || field.sample === undefined) return [];
    return [{ in: field.in, name: field.name, value: field.sample, use: "input" }];
  });
}

const maxShown = 30;

/** Lines that show what the draft contains, so that a secret among it is noticed. */
export function describeValues(draft: RequestDraft): string[] {
  const values = valuesIn(draft);
  const shown = values.slice(0, maxShown).map(({ in: place, name, value, use }) => {
    const written = toLine(typeof value === "string" ? value : JSON.stringify(value), 60);
    const label = name === "" ? "body" : `${place} ${toLine(name, 40)}`;
    return `  ${label}: ${written}${use === "fixed" ? "  (in the code)" : ""}`;
  });
  const more = values.length - shown.length;
  return [
    `The draft contains this part of the command: ${draft.method} ${toLine(draft.server + draft.path, 200)}`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more values`] : []),
    "If one of them is a secret, delete the draft, and replace the value in the command by a placeholder such as $TOKEN.",
  ];
}
