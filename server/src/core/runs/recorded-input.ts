import { redactInParts } from "@toolhost/sandbox";
import type { Redactor } from "@toolhost/sandbox";
import type { RunsContext } from "./context.ts";
import type { RunTable } from "#db";
import { redactValue } from "./redact-result.ts";

/** An input as JSON text: as the run's tool gets it, and as the run's record shows it. */
export type Input = { whole: string; shown: string };

/**
 * An input as it is kept: `shown` is it without what the schema marks as secret, and the values of the run's own
 * credentials are taken out as well, should somebody have sent one along.
 */
export async function recordedInput(
  { input, shown, whole }: { input: unknown; shown: unknown; whole: string },
  redact: Redactor,
): Promise<Input> {
  const isClean = (await redactInParts(redact, whole)) === whole;
  if (isClean && shown === input) return { whole, shown: whole };
  const recorded = isClean ? shown : await redactValue(shown, redact, { withNumbers: true });
  return { whole, shown: JSON.stringify(recorded) };
}

/** The columns that hold a run's input. The whole one is kept, encrypted, until the run has ended. */
export function inputColumns(
  { responseSeal }: Pick<RunsContext, "responseSeal">,
  runId: string,
  { whole, shown }: Input,
): Pick<RunTable, "input" | "sealed_input"> {
  const sealed = whole === shown ? null : responseSeal.close(whole, aboutInput(runId));
  return { input: shown, sealed_input: sealed };
}

/** The whole input of a run that comes from the database. Throws when it does not open. */
export function wholeInput(
  { responseSeal }: Pick<RunsContext, "responseSeal">,
  { id, input, sealed_input: sealed }: Pick<RunTable, "id" | "input" | "sealed_input">,
): string {
  return sealed === null ? input : responseSeal.open(sealed, aboutInput(id));
}

function aboutInput(runId: string): string {
  return `input of run ${runId}`;
}
