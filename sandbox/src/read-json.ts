/** Deeper nesting overflows the stack of recursive functions at an unpredictable depth. */
const MAX_DEPTH = 1_000;
/** The limit of inputs, so that a tool can return its input. */
const MAX_VALUES = 600_000;
const MAX_CONTAINERS = 200_000;
/** A new property name costs V8 a hundred times as much as a known one: half a million took over a second. */
const MAX_NAMES = 30_000;
/** V8 gives all names of one length the same hash if they are longer, and compares each new one with all others. */
const LONG_NAME = 16_000;
const MAX_LONG_NAMES = 100;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A parsed JSON value, or why the text was rejected, as the end of a sentence about it. */
export type ReadJson = { value: unknown } | { invalid: string } | { tooLarge: string };

/** Parses a JSON text. Rejects texts over the limits before parsing them. */
export function readJson(text: string): ReadJson {
  const { depth, values, containers, names, longNames } = measure(text);
  if (depth > MAX_DEPTH) return { invalid: `is nested more than ${MAX_DEPTH} levels deep` };
  if (values > MAX_VALUES) return { tooLarge: `has more than ${MAX_VALUES} names and values` };
  if (names > MAX_NAMES) return { tooLarge: `has more than ${MAX_NAMES} different names` };
  if (longNames > MAX_LONG_NAMES) {
    return {
      tooLarge: `has more than ${MAX_LONG_NAMES} names longer than ${LONG_NAME} characters`,
    };
  }
  if (containers > MAX_CONTAINERS) {
    return { tooLarge: `has more than ${MAX_CONTAINERS} arrays and objects` };
  }
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { invalid: "is not valid JSON" };
  }
}

/** Looks at each character once at most, whether or not the text is JSON. Stops at a limit. */
function measure(json: string) {
  const found = { depth: 0, values: 1, containers: 0, names: 0, longNames: 0 };
  // Not their hashes: a tool could choose many names with the same one, which would count as one.
  const names = new Set<string>();
  const endOfText = textEnds(json);
  let depth = 0;
  let name = { start: 0, end: 0 };
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      name = { start: at + 1, end: endOfText(at + 1) };
      at = name.end;
    } else if (code === COMMA) found.values += 1;
    else if (code === COLON) {
      found.values += 1;
      if (name.end - name.start > LONG_NAME) found.longNames += 1;
      // With the quote: V8 gives names that are numbers hashes that a tool can predict.
      else names.add(json.slice(name.start - 1, name.end));
      // A text that is not JSON may have many colons after one name.
      name = { start: 0, end: 0 };
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      found.containers += 1;
      depth += 1;
      if (depth > found.depth) found.depth = depth;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (found.depth > MAX_DEPTH || found.values > MAX_VALUES || names.size > MAX_NAMES) break;
  }
  found.names = names.size;
  return found;
}

/** Returns where a text that starts at a position ends. Ascending positions take time linear in the length of the JSON. */
function textEnds(json: string): (start: number) => number {
  let escape = -1;
  return (start) => {
    const quote = json.indexOf('"', start);
    if (quote < 0) return json.length;
    if (escape < start) escape = indexOrEnd(json, "\\", start);
    // A search is many times as fast as a look at each character, which only texts with escapes need.
    if (escape > quote) return quote;
    let at = escape;
    while (at < json.length && json.charCodeAt(at) !== QUOTE) {
      at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
    }
    return at;
  };
}

function indexOrEnd(json: string, wanted: string, start: number): number {
  const at = json.indexOf(wanted, start);
  return at < 0 ? json.length : at;
}
