import type { AuditEventTable } from "#db";
import { sha256 } from "#lib/hash";

/** The hash that the first event of a chain builds on. */
export const genesisHash = "0".repeat(64);

/**
 * The hash of an event in its chain: SHA-256 over the previous hash, the sequence number and the event's fields,
 * as a JSON array in this order. Stored texts are hashed unchanged.
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
