import type { AuditEventTable } from "#db";
import { sha256 } from "#lib/hash";

/** What a chain starts from. */
export const genesisHash = "0".repeat(64);

/**
 * The hash of an event at its place in the chain: SHA-256 over the hash before it, its number and all it
 * says, as a JSON array in this fixed order. The stored texts are hashed as they are.
 */
export function chainHash(previous: string, sequence: number, event: AuditEventTable): string {
  return sha256(
    JSON.stringify([
      previous,
      sequence,
      event.id,
      event.workspace_id,
      event.at,
      event.actor,
      event.via,
      event.action,
      event.target,
      event.outcome,
      event.request_id,
      event.ip,
      event.details,
    ]),
  );
}
