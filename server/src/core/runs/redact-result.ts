import { randomInt } from "node:crypto";
import { redactInParts } from "@toolhost/sandbox";
import type { ExecuteResult, Redactor } from "@toolhost/sandbox";

/** A result as it may be stored and shown: without the values of the run's credentials. */
export async function redactResult(
  result: ExecuteResult,
  redact: Redactor,
): Promise<ExecuteResult> {
  const messages = await redactLogs(result, redact);
  const logs = result.logs.map((entry, at) => ({ ...entry, message: messages[at] ?? "" }));
  if (result.status === "completed") {
    const output = JSON.parse(result.outputJson) as unknown;
    const texts = textsIn(output, []);
    const clean = await redactTextsInParts(texts, redact);
    return clean === texts
      ? { ...result, logs }
      : { ...result, logs, outputJson: JSON.stringify(withTexts(output, reader(clean))) };
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

function redactLogs({ logs }: ExecuteResult, redact: Redactor): Promise<readonly string[]> {
  return redactTextsInParts(
    logs.map(({ message }) => message),
    redact,
  );
}

/**
 * A JSON value without secrets in its texts and names; the sandbox bounds their depth. The very same value where
 * there are none.
 */
export function redactValue(value: unknown, redact: Redactor): unknown {
  const texts = textsIn(value, []);
  const { joined, split } = join(texts);
  const clean = redact(joined);
  if (clean === joined) return value;
  return withTexts(value, reader(split(clean) ?? texts.map((text) => redact(text))));
}

/** Texts without secrets, the very same list where there are none. Other work goes on meanwhile. */
async function redactTextsInParts(
  texts: readonly string[],
  redact: Redactor,
): Promise<readonly string[]> {
  const { joined, split } = join(texts);
  const clean = await redactInParts(redact, joined);
  if (clean === joined) return texts;
  return split(clean) ?? texts.map((text) => redact(text));
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
