import { z } from "zod";

/** Response of `GET /audit-events/verification`. */
export const auditVerification = z
  .object({
    intact: z.boolean().meta({ description: "Whether all checked events are unaltered." }),
    complete: z.boolean().meta({
      description: "Whether the check reached the end of the chain. If not, continue with `after`.",
    }),
    next: z.int().nullable().meta({
      description: "The `after` parameter of the next request. Null at the end of the chain.",
    }),
    sealed: z
      .int()
      .meta({ description: "Events in the chain, excluding those deleted by retention." }),
    unsealed: z.int().meta({ description: "Recent events that are not in the chain yet." }),
    checked: z.int().meta({ description: "Sealed events that this request checked." }),
    trimmed: z
      .int()
      .meta({ description: "Events deleted from the start of the chain by retention." }),
    firstAt: z.iso.datetime().nullable().meta({ description: "Time of the oldest event." }),
    lastAt: z.iso.datetime().nullable().meta({ description: "Time of the newest event." }),
    problems: z.array(
      z.object({
        sequence: z.int().meta({ description: "Sequence number of the first invalid link." }),
        eventId: z.string().nullable(),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: "AuditVerification", description: "Whether the audit log is unaltered." });
export type AuditVerification = z.infer<typeof auditVerification>;
