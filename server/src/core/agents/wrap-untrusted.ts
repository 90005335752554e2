import { randomBytes } from "node:crypto";

/**
 * Wraps text that tools or their authors wrote in tags that it cannot contain, since they are random for each response.
 * JSON needs no tags, since a JSON string cannot end itself.
 */
export function wrapUntrusted(text: string): string {
  const mark = `data-${randomBytes(6).toString("hex")}`;
  return `<${mark}>\n${text}\n</${mark}>`;
}
