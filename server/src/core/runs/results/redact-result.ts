import { randomInt } from "node:crypto";
import { redactInParts } from "@toolhost/sandbox";
import type { ExecuteResult, Redactor } from "@toolhost/sandbox";
import { hidden } from "#core/validation";

/** Removes the values of the run's credentials from a result. */
export async function redactResult(
  result: ExecuteResult,
  redact: Redactor,
): Promise<ExecuteResult> {
  const messages = await redactLogs(result, redact);
  const logs = result.logs.map((entry, at) => ({ ...entry, message: messages[at] ?? "" }));
  if (result.status === "completed") {
    const output = await redactValue(result.output, redact);
    return { ...result, logs, output };
  }
  if (result.status === "cancelled") return { ...result, logs };
  const { stack, ...error } = result.error;
  const [message = "", cleanStack] = await redactTextsInParts(
    [error.message, ...(stack === undefined ? [] : [stack])],
    redact,
  );
  return {
    ...result,
    logs,
    error: { ...error, message, ...(cleanStack === undefined ? {} : { stack: cleanStack }) },
  };
}

function redactLogs({ logs }: ExecuteResult, redact: Redactor): Promise<readonly string[]> {
  return redactTextsInParts(
    logs.map(({ message }) => message),
    redact,
  );
}

/**
 * Removes secrets from the strings and keys of a JSON value, and from its numbers with `withNumbers`. Returns the very same value
 * when there are none. The sandbox and the interfaces limit its depth.
 */
export async function redactValue(
  value: unknown,
  redact: Redactor,
  { withNumbers = false }: { withNumbers?: boolean } = {},
): Promise<unknown> {
  const texts = textsIn(value, withNumbers, []);
  const clean = await redactTextsInParts(texts, redact);
  return clean === texts ? value : withTexts(value, withNumbers, reader(clean));
}

/** Removes secrets from texts; returns the very same list when there are none. Does not block the event loop. */
async function redactTextsInParts(
  texts: readonly string[],
  redact: Redactor,
): Promise<readonly string[]> {
  const { joined, split } = join(texts);
  const clean = await redactInParts(redact, joined);
  if (clean === joined) return texts;
  // The separator is missing only when the whole text was replaced because it could not be searched.
  return split(clean) ?? texts.map(() => clean);
}

/**
 * Joins texts, since an output may have millions and each search has a cost. The separator is random, so that a tool cannot write
 * it; `split` returns undefined should a text contain it anyway.
 */
function join(texts: readonly string[]) {
  const separator = String.fromCharCode(
    ...Array.from({ length: 3 }, () => randomInt(0xe000, 0xf8ff)),
  );
  const split = (text: string) => {
    const parts = text.split(separator);
    return parts.length === texts.length ? parts : undefined;
  };
  return { joined: texts.join(separator), split };
}

function reader(texts: readonly string[]): () => string {
  let at = 0;
  return () => texts[at++] ?? "";
}

/** The strings and keys of a value, in the order in which `withTexts` reads them. */
function textsIn(value: unknown, withNumbers: boolean, texts: string[]): string[] {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "number" && withNumbers) texts.push(String(value));
  else if (Array.isArray(value)) for (const item of value) textsIn(item, withNumbers, texts);
  else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      texts.push(name);
      textsIn(item, withNumbers, texts);
    }
  }
  return texts;
}

function withTexts(value: unknown, withNumbers: boolean, next: () => string): unknown {
  if (typeof value === "string") return next();
  if (typeof value === "number" && withNumbers) return next() === String(value) ? value : hidden;
  if (Array.isArray(value)) return value.map((item) => withTexts(item, withNumbers, next));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([, item]) => {
      const name = next();
      return [name, withTexts(item, withNumbers, next)];
    }),
  );
}
