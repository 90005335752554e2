/**
 * A value as a JSON literal for source code. Characters that end a line of code, or a script element of a page that shows
 * the code, are escaped. A member `__proto__` would set the prototype; its computed name does not.
 */
export function toLiteral(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/(?<=[{,])"__proto__":/g, '["__proto__"]:')
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`)
    .replaceAll("</", String.raw`<\/`)
    .replaceAll("<!--", String.raw`\u003c!--`)
    .replaceAll(/[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, escapeCharacter);
}

/** A member of an object literal, of which the value is an expression. */
export function toMember(name: string, expression: string): string {
  return `${name === "__proto__" ? '["__proto__"]' : toLiteral(name)}: ${expression}`;
}

/** Invisible and bidirectional characters would show other code than runs. */
function escapeCharacter(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
