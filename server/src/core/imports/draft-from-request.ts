import type { CreateDraftFromRequestInput, DraftFromRequest, JsonObject } from "@toolhost/contract";
import { planDraft } from "#core/drafts";
import type { Caller } from "#core/kernel";
import { commitWrite, lostKey, ServiceError } from "#core/kernel";
import { chargePoints } from "#core/limits";
import { withAdvice } from "./check-server.ts";
import type { ImportsContext } from "./context.ts";
import { explainOpenApiError } from "./read-openapi.ts";

/**
 * Creates a draft of a tool that sends a request like the given one. Throws `invalid_request`, `draft_limit`, `rate_limited`
 * and `unavailable`.
 */
export async function createDraftFromRequest(
  context: ImportsContext,
  caller: Caller,
  request: CreateDraftFromRequestInput,
): Promise<DraftFromRequest> {
  await chargePoints(context, "builds", caller.workspaceId);
  const reason = await context.outbound.explainDenied(request.server);
  if (reason !== undefined) {
    const message = withAdvice(reason);
    throw new ServiceError("invalid_request", message, { errors: [{ path: "/server", message }] });
  }
  const { definition, notes } = await context.imports.reader
    .generateFromRequest(caller.workspaceId, request)
    .catch((error: unknown) => Promise.reject(explainOpenApiError(error)));
  const { created, steps } = planDraft(context, caller, {
    isOwn: true,
    definition: definition as JsonObject,
  });
  const response = { ...created, notes };
  if (!(await commitWrite(context, caller, response, steps))) throw lostKey();
  return response;
}
