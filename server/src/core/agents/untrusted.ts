import { randomBytes } from "node:crypto";

/**
 * Text that tools and their authors wrote, within marks that it cannot contain: they are drawn at random for each
 * answer. Answers as JSON need none, as a string in JSON cannot end itself.
 */
export function untrusted(text: string): string {
  const mark = `data-${randomBytes(6).toString("hex")}`;
  return `<${mark}>\n${text}\n</${mark}>`;
}
