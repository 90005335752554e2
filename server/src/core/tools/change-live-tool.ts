import type { ToolDetail } from "@toolhost/contract";
import type { Caller } from "#core/access";
import type { AuthoringContext } from "#core/context";
import { ServiceError } from "#core/errors";
import { findToolRecord, getTool } from "./get-tool.ts";
import type { SourcedTool } from "./tool.ts";

const attempts = 5;

/** Runs a change from the live version, again from the newer one when somebody else was faster. */
export async function changeLiveTool(
  context: AuthoringContext,
  caller: Caller,
  name: string,
  change: (current: SourcedTool) => Promise<boolean>,
): Promise<ToolDetail> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const current = await findToolRecord(context, caller, name);
    if (await change(current)) return getTool(context, caller, name);
  }
  throw new ServiceError("unavailable", `The tool ${name} is being changed by others. Try again.`, {
    retryAfterSeconds: 1,
  });
}
