import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { inputLimits } from "#core/validation";
import { StrictJsonError } from "#lib/strict-json";
import { readCallersBytes, subjectOf } from "#rest";
import { rpcCodes, RpcError } from "./rpc-error.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses the JSON body of a request. Throws `unsupported_media_type`, `payload_too_large`, and `RpcError` for invalid JSON. */
export async function readBody(
  context: Context,
  request: Request,
  caller: Pick<Caller, "userId" | "workspaceId">,
): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new ServiceError(
      "unsupported_media_type",
      "The request body must be JSON, with `Content-Type: application/json`.",
    );
  }
  const bytes = await readCallersBytes(context, caller, request);
  try {
    return context.validation.parseJson(subjectOf(caller), decoder.decode(bytes), inputLimits);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const problem =
      error instanceof StrictJsonError ? `it ${error.message}` : "it is not valid UTF-8";
    throw new RpcError(rpcCodes.parseError, `Parse error: ${problem}`, { httpStatus: 400 });
  }
}
