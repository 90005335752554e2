import { toPointer } from "./pointer.ts";

/** Thrown for invalid JSON. The message completes a sentence that starts with the source, such as "The body". */
export class StrictJsonError extends Error {
  override name = "StrictJsonError";
  /** The JSON pointer (RFC 6901) of an invalid value. */
  readonly path: string | undefined;
  /** The problem, as the predicate of a sentence. */
  readonly reason: string;

  constructor(reason: string, path?: string, cause?: unknown) {
    super(path === undefined ? reason : `at "${path}" ${reason}`, { cause });
    this.reason = reason;
    this.path = path;
  }
}

/** Limits of a text's content, because values take many times their length in memory, arrays and objects the most. */
export type JsonLimits = { values: number; containers: number };

const maxDepth = 100;
/** A number with fewer digits is always finite. */
const maxDigits = 300;

/**
 * Parses JSON text that can be stored and returned unchanged (I-JSON, RFC 7493). Throws `StrictJsonError` for any other
 * text, and, before parsing, for text that exceeds the limits.
 */
export function parseStrictJson(text: string, limits?: JsonLimits): unknown {
  return parseScanned(text, scan(text), limits);
}

/**
 * Parses as {@link parseStrictJson}, and subtracts the text's content from `left`, so that several texts share one
 * limit.
 */
export function parseStrictJsonWithin(text: string, left: JsonLimits): unknown {
  const shape = scan(text);
  const limits = { ...left };
  if (shape.values <= left.values && shape.containers <= left.containers) {
    left.values -= shape.values;
    left.containers -= shape.containers;
  }
  return parseScanned(text, shape, limits);
}

function parseScanned(text: string, shape: Shape, limits?: JsonLimits): unknown {
  if (shape.depth > maxDepth) throw new StrictJsonError(`is nested more than ${maxDepth} deep`);
  if (limits !== undefined && shape.values > limits.values) {
    throw new StrictJsonError(`contains more than ${limits.values} values`);
  }
  if (limits !== undefined && shape.containers > limits.containers) {
    throw new StrictJsonError(`contains more than ${limits.containers} arrays and objects`);
  }
  const value = parse(text);
  // Few texts can contain invalid values, so only those are checked value by value.
  if (shape.isSuspect) checkValue(value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "";
    throw new StrictJsonError(`is not JSON: ${why}`, undefined, cause);
  }
}

type Shape = {
  depth: number;
  /** The approximate number of values and names. */
  values: number;
  containers: number;
  /** The text may contain half a surrogate pair, or a number that is too large. */
  isSuspect: boolean;
};

const code = (character: string) => character.charCodeAt(0);
const quote = code('"');
const backslash = code("\\");
const [openBrace, openBracket] = [code("{"), code("[")];
const [closeBrace, closeBracket] = [code("}"), code("]")];
const [comma, colon] = [code(","), code(":")];
const [zero, nine] = [code("0"), code("9")];
const letterE = code("e");
const letterD = code("d");
/** Converts an ASCII letter to lowercase. */
const lower = 0x20;

/** Reads each character once without recursion, whether or not the text is valid JSON. */
function scan(text: string): Shape {
  const shape = { depth: 0, values: 1, containers: 0, isSuspect: false };
  let depth = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character >= zero && character <= nine) {
      digits += 1;
      if (digits >= maxDigits) shape.isSuspect = true;
      continue;
    }
    digits = 0;
    if (character === quote) index = endOfString(text, index, shape);
    else if (character === openBrace || character === openBracket) {
      depth += 1;
      shape.containers += 1;
      shape.values += 1;
      if (depth > shape.depth) shape.depth = depth;
    } else if (character === closeBrace || character === closeBracket) depth -= 1;
    else if (character === comma || character === colon) shape.values += 1;
    else if ((character | lower) === letterE && !shape.isSuspect) {
      shape.isSuspect = /^\+?\d{3}/.test(text.slice(index + 1, index + 5));
    }
  }
  return shape;
}

function endOfString(text: string, start: number, shape: Shape): number {
  let index = start + 1;
  for (; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) break;
    if (character !== backslash) continue;
    index += 1;
    // The escape starts a surrogate pair, or half of one.
    if (text.charCodeAt(index) === code("u") && (text.charCodeAt(index + 1) | lower) === letterD) {
      shape.isSuspect = true;
    }
  }
  return index;
}

/** Rejects values that JSON text can express but JavaScript cannot represent without loss. */
function checkValue(value: unknown): void {
  const problem = findProblem(value);
  if (problem === undefined) return;
  throw new StrictJsonError(`contains ${problem.what}`, toPointer(problem.path.toReversed()));
}

/** The problem, with the names on the path to it from the innermost to the outermost. */
type Problem = { what: string; path: string[] };

function findProblem(value: unknown): Problem | undefined {
  if (typeof value === "string") {
    return value.isWellFormed() ? undefined : { what: "half a surrogate pair", path: [] };
  }
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { what: "a number that is too large", path: [] };
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const name in value) {
    if (!name.isWellFormed()) return { what: "a name with half a surrogate pair", path: [] };
    const problem = findProblem((value as Record<string, unknown>)[name]);
    if (problem === undefined) continue;
    problem.path.push(name);
    return problem;
  }
  return undefined;
}
