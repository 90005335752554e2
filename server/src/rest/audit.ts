import {
  auditEvent,
  auditVerification,
  auditVerificationQuery,
  listAuditEventsQuery,
} from "@toolhost/contract";
import { z } from "zod";
import { exportAuditEvents, listAuditEvents, verifyTrail } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { holdExport } from "#core/limits";
import { heldWhileRead } from "#lib/held-stream";
import { cutPage } from "#lib/page";
import { exportForms, formOfEvents, toExport } from "./audit-forms.ts";
import { idOfCursor, linkHeader } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Audit";

/** Counts an export while it is sent. Throws `rate_limited` when too many of the workspace are under way. */
async function exportHeld<T>(
  context: Context,
  caller: Caller,
  begin: () => Promise<AsyncGenerator<T>>,
): Promise<AsyncGenerator<T>> {
  const release = holdExport(context, caller);
  try {
    return heldWhileRead(await begin(), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** The workspace's audit trail, and whether it is as it was written. */
export const auditRoutes = [
  defineRoute({
    method: "get",
    path: "/audit-events",
    otherForms: exportForms,
    tag,
    summary: "List audit events, newest first",
    description:
      "With `Accept: text/csv` or `application/x-ndjson` all that match, in one answer without pages.",
    requestHeaders: [{ name: "Accept", description: "In which form, as the description says." }],
    scope: "audit:read",
    audit: null,
    query: listAuditEventsQuery,
    status: 200,
    response: z.array(auditEvent),
    errors: ["not_acceptable"],
    handle: async ({ context, caller, query, url, headers, isHead, isStillAllowed }) => {
      const { limit, cursor, ...filter } = query;
      const form = formOfEvents(headers.get("accept"));
      if (form !== "json") {
        const name = form === "text/csv" ? "audit-events.csv" : "audit-events.ndjson";
        const about = { "content-disposition": `attachment; filename="${name}"` };
        const events = isHead
          ? undefined
          : await exportHeld(context, caller, () =>
              exportAuditEvents(context, caller, filter, isStillAllowed),
            );
        const stream = events === undefined ? null : toExport(form, events);
        const contentType = `${form}; charset=utf-8`;
        return { body: [], contentType, headers: about, stream };
      }
      const page = { limit: limit + 1, after: idOfCursor(cursor) };
      const events = await listAuditEvents(context, caller, filter, page);
      const { shown, next } = cutPage(events, limit, ({ id }) => id);
      return { body: shown, headers: linkHeader(context.config.baseUrl, url, next) };
    },
  }),
  defineRoute({
    method: "get",
    path: "/audit-events/verification",
    tag,
    summary: "Check that the audit trail is as it was written",
    description:
      "Recomputes the chain of hashes for some seconds. When it is not `complete` by then, ask again with `after`.",
    scope: "audit:read",
    audit: null,
    query: auditVerificationQuery,
    status: 200,
    response: auditVerification,
    errors: ["not_found"],
    handle: async ({ context, caller, query }) => ({
      body: await verifyTrail(context, caller, query.after),
    }),
  }),
];
