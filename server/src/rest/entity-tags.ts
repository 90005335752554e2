/** The entity tag of a version of a tool. */
export const versionTag = (version: number): string => `"${version}"`;

/**
 * Whether the value of `If-None-Match` names an entity tag; weak tags count as strong ones (RFC 9110, section 13.1.2). Without the
 * header, it names none.
 */
export function namesTag(header: string | null, tag: string): boolean {
  return header !== null && hasTag(header.replaceAll(/(?<=^|,)\s*W\//g, ""), tag);
}

/**
 * Whether the value of `If-Match` allows a change of what has this entity tag; weak tags never match (RFC 9110, section 13.1.1).
 * Without the header, every change is allowed.
 */
export function allowsChange(header: string | null, tag: string): boolean {
  return header === null || hasTag(header, tag);
}

function hasTag(header: string, tag: string): boolean {
  const tags = new Set(header.split(",").map((one) => one.trim()));
  return tags.has("*") || tags.has(tag);
}
