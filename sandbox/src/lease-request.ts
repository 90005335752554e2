import { createHash } from "node:crypto";
import type { ExecuteRequest } from "./types.ts";

/** What a run requires of a process. */
export type LeaseRequest = {
  workspaceId: string;
  /** Identifies the isolate that the run may share: a hash of its reuse key and its code. */
  key: string;
  codeId: string;
  isolation: "reuse" | "fresh";
  isChild: boolean;
};

/** What a run requires of the process that it leases. */
export function leaseRequestOf(request: ExecuteRequest): LeaseRequest {
  return {
    workspaceId: request.workspaceId,
    key: isolateKey(request),
    codeId: request.code.id,
    isolation: request.isolation,
    isChild: request.isChild === true,
  };
}

function isolateKey({ reuseKey, code }: ExecuteRequest): string {
  return createHash("sha256")
    .update(`${reuseKey.length}:${reuseKey}${code.id}`)
    .digest("base64url");
}
