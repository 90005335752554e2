import { randomInt } from "node:crypto";
import type { ExecuteResult, Redactor } from "@toolhost/sandbox";

/** A result as it may be kept and shown: without the values of the run's credentials. */
export function redactResult(result: ExecuteResult, redact: Redactor): ExecuteResult {
  const messages = redactTexts(
    result.logs.map(({ message }) => message),
    redact,
  );
  const logs = result.logs.map((entry, at) => ({ ...entry, message: messages[at] ?? "" }));
  if (result.status === "completed") {
    const output = JSON.parse(result.outputJson) as unknown;
    const clean = redactValue(output, redact);
    return clean === output
      ? { ...result, logs }
      : { ...result, logs, outputJson: JSON.stringify(clean) };
  }
  if (result.status === "cancelled") return { ...result, logs };
  const { stack, ...error } = result.error;
  return {
    ...result,
    logs,
    error: {
      ...error,
      message: redact(error.message),
      ...(stack === undefined ? {} : { stack: redact(stack) }),
    },
  };
}

/**
 * A JSON value without secrets in its texts and names; the sandbox bounds their depth. The very same value where
 * there are none.
 */
export function redactValue(value: unknown, redact: Redactor): unknown {
  const texts = textsIn(value, []);
  const clean = redactTexts(texts, redact);
  if (clean === texts) return value;
  let at = 0;
  const next = () => clean[at++] ?? "";
  return withTexts(value, next);
}

/**
 * Texts without secrets, looked into all at once: an output may hold millions, and each look costs. The very
 * same list where there are none.
 */
function redactTexts(texts: readonly string[], redact: Redactor): readonly string[] {
  // Nobody can write what is chosen afterwards, and should one text hold it after all, each is looked into.
  const separator = String.fromCharCode(
    ...Array.from({ length: 3 }, () => randomInt(0xe000, 0xf8ff)),
  );
  const joined = texts.join(separator);
  const clean = redact(joined);
  if (clean === joined) return texts;
  const parts = clean.split(separator);
  return parts.length === texts.length ? parts : texts.map(redact);
}

/** Texts and names of members in the order in which `withTexts` asks for them. */
function textsIn(value: unknown, texts: string[]): string[] {
  if (typeof value === "string") texts.push(value);
  else if (Array.isArray(value)) for (const item of value) textsIn(item, texts);
  else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      texts.push(name);
      textsIn(item, texts);
    }
  }
  return texts;
}

function withTexts(value: unknown, next: () => string): unknown {
  if (typeof value === "string") return next();
  if (Array.isArray(value)) return value.map((item) => withTexts(item, next));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([, item]) => {
      const name = next();
      return [name, withTexts(item, next)];
    }),
  );
}
