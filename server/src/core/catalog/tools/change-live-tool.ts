import type { ToolDetail } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { AuthoringContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import { findToolRecord } from "./get-tool.ts";
import { checkMayChange } from "./tool-rights.ts";
import type { SourcedTool } from "./tool.ts";

/** How often a change is tried while others change the same tool. */
export const attempts = 5;

/** Runs a change, which answers the tool as it is then, from the live version, and again from the newer one when somebody else was faster. */
export async function changeLiveTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  change: (current: SourcedTool) => Promise<ToolDetail | undefined>,
): Promise<ToolDetail> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const current = await findToolRecord(context, caller, name);
    checkMayChange(caller, current);
    const changed = await change(current);
    if (changed !== undefined) return changed;
  }
  throw tooMuchChange(name);
}

/** Others were faster each time. */
export function tooMuchChange(name: string): ServiceError {
  return new ServiceError(
    "unavailable",
    `The tool ${name} was changed by someone else. Try again.`,
    {
      retryAfterSeconds: 1,
    },
  );
}
