import { errorCodes } from "@toolhost/contract";
import type { RunResult } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import { inputLimits } from "#core/validation";
import { StrictJsonError } from "#lib/strict-json";
import type { ActiveRun } from "../active-runs.ts";
import type { RunsContext } from "../context.ts";

/** As many as `ctx.tools.run` has in progress; further calls wait in the tool. */
const maxParallelCalls = 8;

/**
 * Registers a call to a child run with its parent, unless that has ended or has too many. `abort` cancels the child,
 * and `close` ends the call. Throws `unavailable`, `forbidden`.
 */
export function openCall(parent: ActiveRun, signal: AbortSignal) {
  if (parent.isOver || signal.aborted) throw parentEnded();
  if (parent.calls.size >= maxParallelCalls) {
    const message = `A run can have at most ${maxParallelCalls} concurrent child runs.`;
    throw new ServiceError("forbidden", message);
  }
  const abort = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const call = { abort, ended };
  const cancel = () => abort.abort();
  signal.addEventListener("abort", cancel, { once: true });
  parent.calls.add(call);
  const close = () => {
    signal.removeEventListener("abort", cancel);
    parent.calls.delete(call);
    resolve();
  };
  return { abort, close };
}

export function parentEnded(): ServiceError {
  return new ServiceError("unavailable", "The parent run has ended.");
}

/** Reads the tool's name and input from a request. Throws `payload_too_large`, `invalid_request`. */
export async function readChildRequest(
  context: RunsContext,
  parent: ActiveRun,
  { url, body }: Request,
): Promise<{ toolName: string; input: unknown }> {
  const limits = { maxBytes: context.config.BODY_MAX_BYTES, name: "input" };
  return { toolName: toolNameOf(url), input: await readJsonBody(context, parent, body, limits) };
}

/** Reads what the tool of a run sends. `name` is its name in errors. Throws `payload_too_large`, `invalid_request`. */
export async function readJsonBody(
  { validation }: RunsContext,
  { workspaceId }: ActiveRun,
  body: Request["body"],
  { maxBytes, name }: { maxBytes: number; name: string },
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new ServiceError("payload_too_large", `The ${name} exceeds ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  try {
    const text = Buffer.concat(chunks).toString();
    return await validation.parseJson(workspaceId, text, inputLimits);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    throw new ServiceError("invalid_request", `The ${name} ${cause.message}.`, { cause });
  }
}

function toolNameOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname.slice(1));
  } catch {
    return "";
  }
}

export function resultResponse({ status, output, error, runId }: RunResult): Response {
  if (status === "completed") return Response.json(output);
  const { code, message } = error ?? { code: "cancelled", message: "The run was cancelled." };
  return Response.json({ code, message, runId }, { status: 422 });
}

/** Reports an error to the tool whose request caused it. */
export function errorResponse({ log }: RunsContext, runId: string, error: unknown): Response {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError("internal", "The service could not do this. Retry shortly.");
  if (known !== error) log.error({ err: error, runId }, "could not serve a request of a tool");
  const { code, message, errors } = known;
  return Response.json({ code, message, errors }, { status: errorCodes[code].status });
}
