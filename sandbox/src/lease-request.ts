import { hash } from "node:crypto";
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

/** A service has many more runs than isolates, and a hash costs more than a look-up. */
const keys = new Map<string, string>();
const MAX_KEYS = 5_000;

function isolateKey({ reuseKey, code }: ExecuteRequest): string {
  const name = `${reuseKey.length}:${reuseKey}${code.id}`;
  let key = keys.get(name);
  if (key === undefined) {
    if (keys.size >= MAX_KEYS) keys.clear();
    key = hash("sha256", name, "base64url");
    keys.set(name, key);
  }
  return key;
}
