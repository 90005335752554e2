import type { Redactor } from "@toolhost/sandbox";
import type { Context } from "#core/context";
import { hidden } from "#core/validation";
import type { RunTable } from "#db";

/** An input as JSON text: as the run's tool gets it, and as the run's record shows it. */
export type Input = { whole: string; shown: string };

/**
 * An input as it is kept: `shown` is it without what the schema marks as secret, and the values of the run's own
 * credentials are taken out as well, should somebody have sent one along.
 */
export function recordedInput(
  { input, shown, whole }: { input: unknown; shown: unknown; whole: string },
  redact: Redactor,
): Input {
  const isClean = redact(whole) === whole;
  if (isClean && shown === input) return { whole, shown: whole };
  return { whole, shown: JSON.stringify(isClean ? shown : cleaned(shown, redact)) };
}

function cleaned(value: unknown, redact: Redactor): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") return redact(String(value)) === String(value) ? value : hidden;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name), cleaned(item, redact)]),
  );
}

/** The columns that hold a run's input. The whole one is kept, encrypted, until the run has ended. */
export function inputColumns(
  { answerSeal }: Pick<Context, "answerSeal">,
  runId: string,
  { whole, shown }: Input,
): Pick<RunTable, "input" | "sealed_input"> {
  const sealed = whole === shown ? null : answerSeal.close(whole, aboutInput(runId));
  return { input: shown, sealed_input: sealed };
}

/** The whole input of a run that comes from the database. Throws when it does not open. */
export function wholeInput(
  { answerSeal }: Pick<Context, "answerSeal">,
  { id, input, sealed_input: sealed }: Pick<RunTable, "id" | "input" | "sealed_input">,
): string {
  return sealed === null ? input : answerSeal.open(sealed, aboutInput(id));
}

function aboutInput(runId: string): string {
  return `input of run ${runId}`;
}
