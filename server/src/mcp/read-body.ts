import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { ServiceError } from "#core/kernel";
import { inputLimits } from "#core/validation";
import { StrictJsonError } from "#lib/strict-json";
import { readCallersBytes, subjectOf } from "#rest";
import { rpcCodes, RpcError } from "./rpc-error.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The JSON of a request. Throws `unsupported_media_type`, `payload_too_large`, and `RpcError` for what is no JSON. */
export async function readBody(
  context: Context,
  request: Request,
  caller: Caller,
): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new ServiceError(
      "unsupported_media_type",
      "Send JSON, with Content-Type: application/json.",
    );
  }
  const bytes = await readCallersBytes(context, caller, request);
  try {
    return context.validation.parseJson(subjectOf(caller), decoder.decode(bytes), inputLimits);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const why = error instanceof StrictJsonError ? `it ${error.message}` : "it is not UTF-8";
    throw new RpcError(rpcCodes.parseError, `Parse error: ${why}`, { httpStatus: 400 });
  }
}
