/** Deeper ones overflow the stack of whoever walks them, at a depth that nobody can foretell. */
const MAX_DEPTH = 1_000;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What keeps a text from being JSON that anybody can read, in words; undefined for nothing. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return "is not JSON";
  }
  return isTooDeep(text) ? `is nested more than ${MAX_DEPTH} deep` : undefined;
}

function isTooDeep(json: string): boolean {
  // Each level takes two characters.
  if (json.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (isText) at += code === BACKSLASH ? 1 : 0;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
