import { z } from "zod";

/** Answer of `GET /audit-events/verification`. */
export const auditVerification = z
  .object({
    intact: z.boolean().meta({ description: "Nothing is wrong with what was checked." }),
    complete: z.boolean().meta({
      description: "The check came to the end of the chain. If not, ask again with `after`.",
    }),
    next: z
      .int()
      .nullable()
      .meta({ description: "Where to go on: the `after` of the next request; null at the end." }),
    sealed: z.int().meta({ description: "Events in the chain, without those that left with age." }),
    unsealed: z.int().meta({ description: "Events of the last moments, not in the chain yet." }),
    checked: z.int().meta({ description: "Sealed events that this request has checked." }),
    trimmed: z.int().meta({ description: "Events that have left the chain's beginning with age." }),
    firstAt: z.iso.datetime().nullable().meta({ description: "When the oldest event was." }),
    lastAt: z.iso.datetime().nullable().meta({ description: "When the newest event was." }),
    problems: z.array(
      z.object({
        sequence: z.int().meta({ description: "Place of the first link that does not hold." }),
        eventId: z.string().nullable(),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: "AuditVerification", description: "Whether the audit trail is as it was written." });
export type AuditVerification = z.infer<typeof auditVerification>;
