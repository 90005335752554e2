import { errorCodes } from "@toolhost/contract";
import type { RunResult } from "@toolhost/contract";
import type { InternalService } from "@toolhost/sandbox";
import type { RunsContext } from "./context.ts";
import { ServiceError } from "#core/kernel";
import { StrictJsonError } from "#lib/strict-json";
import { inputLimits } from "#core/validation";
import type { ActiveRun, StartRun } from "./active-runs.ts";
import type { RunCaller } from "./run-caller.ts";
import { runChild } from "./run-child.ts";

/** As many as `ctx.tools.run` has under way; it lets further calls wait in the tool. */
const maxAtOnce = 8;

/**
 * Answers a run's requests for `ctx.tools`: `POST /:toolName` with the input runs a tool and answers with its
 * output, or with the `code` and `message` of what went wrong. When the request is given up or the run is over,
 * what was run for it is cancelled.
 */
export function serveRunTools(
  context: RunsContext,
  parent: ActiveRun,
  caller: RunCaller,
  start: StartRun,
): InternalService {
  return async (request, signal) => {
    const abort = new AbortController();
    const ended = Promise.withResolvers<void>();
    const call = { abort, ended: ended.promise };
    const stop = () => abort.abort();
    signal.addEventListener("abort", stop, { once: true });
    try {
      refuseIfOver(parent, signal);
      parent.calls.add(call);
      const name = toolNameOf(request);
      const input = await readInput(context, caller, request);
      return answer(await runChild(context, { parent, caller, abort, start }, name, input));
    } catch (error) {
      return refuse(context, parent.id, error);
    } finally {
      signal.removeEventListener("abort", stop);
      parent.calls.delete(call);
      ended.resolve();
    }
  };
}

/** Cancels all that a run still runs, and resolves when the ends of those are written. */
export async function endChildren(parent: ActiveRun): Promise<void> {
  parent.isOver = true;
  for (const { abort } of parent.calls) abort.abort();
  await Promise.all([...parent.calls].map(({ ended }) => ended));
}

function refuseIfOver({ isOver, calls }: ActiveRun, signal: AbortSignal): void {
  if (isOver || signal.aborted) {
    throw new ServiceError("unavailable", "The run that asks for it is over.");
  }
  if (calls.size >= maxAtOnce) {
    throw new ServiceError("forbidden", `A run may run ${maxAtOnce} tools at once.`);
  }
}

function toolNameOf({ url }: Request): string {
  try {
    return decodeURIComponent(new URL(url).pathname.slice(1));
  } catch {
    return "";
  }
}

async function readInput(
  { config, validation }: RunsContext,
  { workspaceId }: RunCaller,
  { body }: Request,
): Promise<unknown> {
  const maxBytes = config.BODY_MAX_BYTES;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new ServiceError("payload_too_large", `The input may have ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  try {
    return validation.parseJson(workspaceId, Buffer.concat(chunks).toString(), inputLimits);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    throw new ServiceError("invalid_request", `The input ${cause.message}.`, { cause });
  }
}

function answer({ status, output, error, runId }: RunResult): Response {
  if (status === "completed") return Response.json(output);
  const { code, message } = error ?? { code: "cancelled", message: "The run was cancelled." };
  return Response.json({ code, message, runId }, { status: 422 });
}

function refuse({ log }: RunsContext, runId: string, error: unknown): Response {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError("internal", "The service could not run the tool. Try again.");
  if (known !== error) log.error({ err: error, runId }, "a run could not run another tool");
  const { code, message, errors } = known;
  return Response.json({ code, message, errors }, { status: errorCodes[code].status });
}
