/** Deeper ones overflow the stack of whoever walks them, at a depth that nobody can foretell. */
const MAX_DEPTH = 1_000;
/** Values cost many times their length to work with: parsing half a million names takes over a second. */
const MAX_VALUES = 250_000;
const MAX_CONTAINERS = 50_000;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A JSON value, or why the text holds none that can be worked with, in words that go on after what held it. */
export type ReadJson = { value: unknown } | { invalid: string } | { tooLarge: string };

/** Reads a JSON text. What holds too much is found before it is parsed. */
export function readJson(text: string): ReadJson {
  const { depth, values, containers } = measure(text);
  if (depth > MAX_DEPTH) return { invalid: `is nested more than ${MAX_DEPTH} deep` };
  if (values > MAX_VALUES) return { tooLarge: `holds more than ${MAX_VALUES} names and values` };
  if (containers > MAX_CONTAINERS) {
    return { tooLarge: `holds more than ${MAX_CONTAINERS} arrays and objects` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { invalid: "is not JSON" };
  }
}

/** One look at each character, whether the text is JSON or not. */
function measure(json: string): { depth: number; values: number; containers: number } {
  const found = { depth: 0, values: 1, containers: 0 };
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (isText) at += code === BACKSLASH ? 1 : 0;
    else if (code === COMMA || code === COLON) found.values += 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      found.containers += 1;
      depth += 1;
      if (depth > found.depth) found.depth = depth;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
  return found;
}
