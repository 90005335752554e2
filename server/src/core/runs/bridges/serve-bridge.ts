import type { InternalService } from "@toolhost/sandbox";
import type { RunnableTool } from "#core/catalog";
import { inputLimits } from "#core/validation";
import { isJsonObject } from "#lib/json-object";
import { StrictJsonError } from "#lib/strict-json";
import type { ExecutableRun } from "../active-runs.ts";
import type { RunsContext } from "../context.ts";
import { findBridgeLink } from "./bridge-store.ts";
import type { BridgeLink } from "./bridge-store.ts";
import { BridgeError, callBridge } from "./call-bridge.ts";

/**
 * Answers requests of a run's tool to `bridge.internal`: calls of the item that the tool was imported from, at the bridge of the
 * user who runs it.
 */
export function serveBridge(
  context: RunsContext,
  tool: RunnableTool,
  run: ExecutableRun,
): InternalService {
  return async (request, signal) => {
    const message = await readMessage(context, run, request);
    const id = typeof message["id"] === "string" ? message["id"] : "";
    try {
      if (run.draft_id !== null) {
        throw new BridgeError("Publish the tool first: drafts cannot reach a bridge.");
      }
      const link = checkAccess(await findBridgeLink(context.db, tool), run);
      const { method, params } = message;
      const { name, arguments: given = {} } = isJsonObject(params) ? params : {};
      if (method !== "tools/call" || name !== link.toolName || id === "") {
        throw new BridgeError(`This tool can only call ${link.toolName}.`);
      }
      const call = { id, method, params: { name, arguments: given } };
      const answer = await callBridge(context, link, call, signal);
      return new Response(answer, { headers: { "content-type": "application/json" } });
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      const data = { source: "toolhost" };
      const { message: text } = error;
      return Response.json({ jsonrpc: "2.0", id, error: { code: -32000, message: text, data } });
    }
  };
}

/** Throws `BridgeError` unless the run is one of the bridge's user, and was started by no other tool. */
function checkAccess(link: BridgeLink | undefined, run: ExecutableRun): BridgeLink {
  const isTheirs = link?.userId === run.user_id && link.workspaceId === run.workspace_id;
  if (link === undefined || !isTheirs) {
    throw new BridgeError(
      "A tool that calls a bridge must be published, private, and run by the user who imported it.",
    );
  }
  if (run.parent_run_id !== null) {
    throw new BridgeError("Other tools cannot run a tool that calls a bridge.");
  }
  return link;
}

async function readMessage(
  { config, validation }: RunsContext,
  { workspace_id: workspaceId }: ExecutableRun,
  { body }: Request,
) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > config.BODY_MAX_BYTES) return {};
    chunks.push(chunk);
  }
  try {
    const text = Buffer.concat(chunks).toString();
    const message = await validation.parseJson(workspaceId, text, inputLimits);
    return isJsonObject(message) ? message : {};
  } catch (error) {
    if (error instanceof StrictJsonError) return {};
    throw error;
  }
}
