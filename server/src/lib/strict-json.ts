import { toPointer } from "./pointer.ts";

/** What is no JSON to work with. The message goes on after "The body" or whatever held it. */
export class StrictJsonError extends Error {
  override name = "StrictJsonError";
  /** Where, for what is wrong with one value: a JSON pointer (RFC 6901). */
  readonly path: string | undefined;
  /** What is wrong there, in words that go on after the place. */
  readonly reason: string;

  constructor(reason: string, path?: string, cause?: unknown) {
    super(path === undefined ? reason : `at "${path}" ${reason}`, { cause });
    this.reason = reason;
    this.path = path;
  }
}

const deepest = 100;

/**
 * The value of JSON text that can be kept and given back unchanged (I-JSON, RFC 7493). Throws
 * `StrictJsonError` for any other text.
 */
export function parseStrictJson(text: string): unknown {
  if (depthOf(text) > deepest) {
    throw new StrictJsonError(`is nested more than ${deepest} deep`);
  }
  const value = parse(text);
  // Few texts can hold either, so few are walked.
  if (/\\u[dD][89a-fA-F]|[eE]\+?\d{3}|\d{300}/.test(text)) checkValues(value, []);
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

/** How deep arrays and objects are nested, without recursion. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{" || character === "[") most = Math.max(most, ++depth);
    else if (character === "}" || character === "]") depth -= 1;
  }
  return most;
}

/** Refuses what JSON text can say and a JSON value cannot hold without loss. */
function checkValues(value: unknown, path: readonly string[]): void {
  const refuse = (what: string): never => {
    throw new StrictJsonError(`holds ${what}`, toPointer(path));
  };
  if (typeof value === "string" && !value.isWellFormed()) refuse("half a surrogate pair");
  if (typeof value === "number" && !Number.isFinite(value)) refuse("a number that is too large");
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!name.isWellFormed()) refuse("a name with half a surrogate pair");
    checkValues(member, [...path, name]);
  }
}
