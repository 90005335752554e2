import type { ToolDetail } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { AuthoringContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import { findToolRecord } from "./get-tool.ts";
import { checkMayChange } from "./tool-rights.ts";
import type { SourcedTool } from "./tool.ts";

/** Attempts at a change that conflicts with concurrent changes. */
export const attempts = 5;

/** Applies a change to the live version, and retries on the newer one if the tool changed concurrently. */
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

/** Thrown when every attempt conflicted with another change. */
export function tooMuchChange(name: string): ServiceError {
  return new ServiceError(
    "unavailable",
    `The tool ${name} was changed by another request. Retry shortly.`,
    {
      retryAfterSeconds: 1,
    },
  );
}

/** Thrown when another version is live than the caller has read. */
export function changedElsewhere({ name, version }: SourcedTool): ServiceError {
  return new ServiceError(
    "precondition_failed",
    `${name} was changed since you read it: version ${version} is live. Read it again, then retry.`,
    { extra: { version } },
  );
}
