import { randomInt } from "node:crypto";
import { redactInParts } from "@toolhost/sandbox";
import type { ExecuteResult, Redactor } from "@toolhost/sandbox";
import { hidden } from "#core/validation";

/** A result as it may be stored and shown: without the values of the run's credentials. */
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
 * A JSON value without secrets in its texts and names, and in its numbers if asked; the sandbox and the interfaces bound
 * its depth. The very same value where there are none.
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

/** Texts without secrets, the very same list where there are none. Other work goes on meanwhile. */
async function redactTextsInParts(
  texts: readonly string[],
  redact: Redactor,
): Promise<readonly string[]> {
  const { joined, split } = join(texts);
  const clean = await redactInParts(redact, joined);
  if (clean === joined) return texts;
  // The separator is gone only where the whole text could not be searched.
  return split(clean) ?? texts.map(() => clean);
}

/**
 * Texts as one, since an output may have millions and each search costs. Nobody can write a separator that is chosen
 * afterwards; should a text contain it after all, `split` says so.
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

/** Texts and names of members in the order in which `withTexts` asks for them. */
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
