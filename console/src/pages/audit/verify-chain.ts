import type { AuditVerification } from "@toolhost/contract";
import { api } from "#api/client";

/** The result so far. */
export type ChainCheck = {
  checked: number;
  sealed: number;
  unsealed: number;
  trimmed: number;
  firstAt: string | null;
  problems: AuditVerification["problems"];
  isComplete: boolean;
};

/**
 * Verifies the whole chain, part by part, and reports each. Stops at the first part that is not intact, because nothing after
 * a broken link can be verified.
 */
export async function verifyChain(
  onPart: (check: ChainCheck) => void,
  signal: AbortSignal,
): Promise<ChainCheck> {
  let checked = 0;
  let after: number | undefined;
  for (;;) {
    const query = { after };
    const part = await api.get("/audit-events/verification", { query, signal });
    checked += part.checked;
    const { sealed, unsealed, trimmed, firstAt, problems } = part;
    const isComplete = part.complete || !part.intact || part.next === null;
    const check = { checked, sealed, unsealed, trimmed, firstAt, problems, isComplete };
    onPart(check);
    if (isComplete || part.next === null) return check;
    after = part.next;
  }
}
