import type { ToolSource, ToolVersionDetail } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { AuthoringContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import { findToolRecord } from "./get-tool.ts";
import { checkMayChange } from "./tool-rights.ts";
import { findVersion } from "./tool-store.ts";
import { readDefinition } from "./tool.ts";
import { presentVersion, readExampleResults } from "./version-row.ts";

/**
 * The full definition of one version of a tool. Throws `tool_not_found`, `not_found`, and `forbidden` for a tool of
 * another workspace.
 */
export async function getVersion(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  version: number,
): Promise<ToolVersionDetail> {
  const record = await findToolRecord(context, caller, name);
  checkMayChange(caller, record);
  const row = await findVersion(context.db, record.id, version);
  if (row === undefined)
    throw new ServiceError("not_found", `The tool ${name} has no version ${version}.`);
  const { examples: _, ...summary } = presentVersion(row, record);
  return {
    ...summary,
    exampleResults: readExampleResults(row),
    ...readDefinition(row.definition),
    source: JSON.parse(row.source) as ToolSource,
  };
}
