import { redactInParts } from "@toolhost/sandbox";
import type { Redactor } from "@toolhost/sandbox";
import type { RunTable } from "#db";
import type { RunsContext } from "./context.ts";
import { redactValue } from "./results/redact-result.ts";

/** An input as JSON text: as the tool receives it, and as the run's record shows it. */
export type RecordedInput = { whole: string; shown: string };

/**
 * Redacts an input for the run's record: `shown` is it without what the schema marks as secret, and the values of the run's own
 * credentials are removed as well, in case the caller sent one.
 */
export async function recordedInput(
  { input, shown, whole }: { input: unknown; shown: unknown; whole: string },
  redact: Redactor,
): Promise<RecordedInput> {
  const isClean = (await redactInParts(redact, whole)) === whole;
  if (isClean && shown === input) return { whole, shown: whole };
  const recorded = isClean ? shown : await redactValue(shown, redact, { withNumbers: true });
  return { whole, shown: JSON.stringify(recorded) };
}

/** The columns of a run's input. The whole input is stored encrypted until the run has ended. */
export function inputColumns(
  { responseSeal }: Pick<RunsContext, "responseSeal">,
  runId: string,
  { whole, shown }: RecordedInput,
): Pick<RunTable, "input" | "sealed_input"> {
  const sealed = whole === shown ? null : responseSeal.close(whole, associatedData(runId));
  return { input: shown, sealed_input: sealed };
}

/** The whole input of a run from the database. Throws when it cannot be decrypted. */
export function wholeInput(
  { responseSeal }: Pick<RunsContext, "responseSeal">,
  { id, input, sealed_input: sealed }: Pick<RunTable, "id" | "input" | "sealed_input">,
): string {
  return sealed === null ? input : responseSeal.open(sealed, associatedData(id));
}

function associatedData(runId: string): string {
  return `input of run ${runId}`;
}
