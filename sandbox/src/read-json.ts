/** Deeper nesting overflows the stack of recursive functions at an unpredictable depth. */
const MAX_DEPTH = 1_000;
/** The limit of inputs, so that a tool can return its input. */
const MAX_VALUES = 600_000;
const MAX_CONTAINERS = 200_000;
/** A new property name costs V8 a hundred times as much as a known one: half a million took over a second. */
const MAX_NAMES = 30_000;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A parsed JSON value, or why the text was rejected, as the end of a sentence about it. */
export type ReadJson = { value: unknown } | { invalid: string } | { tooLarge: string };

/** Parses a JSON text. Rejects texts over the limits before parsing them. */
export function readJson(text: string): ReadJson {
  const { depth, values, containers, names } = measure(text);
  if (depth > MAX_DEPTH) return { invalid: `is nested more than ${MAX_DEPTH} levels deep` };
  if (values > MAX_VALUES) return { tooLarge: `has more than ${MAX_VALUES} names and values` };
  if (names > MAX_NAMES) return { tooLarge: `has more than ${MAX_NAMES} different names` };
  if (containers > MAX_CONTAINERS) {
    return { tooLarge: `has more than ${MAX_CONTAINERS} arrays and objects` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { invalid: "is not valid JSON" };
  }
}

/** Looks at each character once, whether or not the text is JSON. Stops counting `names` at the limit. */
function measure(json: string) {
  const found = { depth: 0, values: 1, containers: 0, names: 0 };
  const hashes = new Set<number>();
  let depth = 0;
  let isText = false;
  let hash = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      isText = !isText;
      if (isText) hash = 0;
    } else if (isText) {
      hash = (Math.imul(hash, 31) + code) | 0;
      at += code === BACKSLASH ? 1 : 0;
    } else if (code === COMMA) found.values += 1;
    else if (code === COLON) {
      found.values += 1;
      if (hashes.size <= MAX_NAMES) hashes.add(hash);
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      found.containers += 1;
      depth += 1;
      if (depth > found.depth) found.depth = depth;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
  found.names = hashes.size;
  return found;
}
