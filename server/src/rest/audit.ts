import {
  auditEvent,
  auditVerification,
  auditVerificationQuery,
  listAuditEventsQuery,
} from "@toolhost/contract";
import { z } from "zod";
import { countAuditEvents, exportAuditEvents, listAuditEvents, verifyAuditLog } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { reserveExport } from "#core/limits";
import { releaseWhenDone } from "#lib/release-when-done";
import { exportMediaTypes, negotiateMediaType, toExport } from "./audit-export.ts";
import { idOfCursor, linkHeader, totalHeaders } from "./paging.ts";
import { defineRoute } from "./route.ts";

const tag = "Audit";

/** Counts an export while it is sent. Throws `rate_limited` while too many of the workspace are in progress. */
async function startCountedExport<T>(
  context: Context,
  caller: Caller,
  start: () => Promise<AsyncGenerator<T>>,
): Promise<AsyncGenerator<T>> {
  const release = reserveExport(context, caller);
  try {
    return releaseWhenDone(await start(), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** The audit log of the workspace, and its verification. */
export const auditRoutes = [
  defineRoute({
    method: "get",
    path: "/audit-events",
    operation: "listAuditEvents",
    otherMediaTypes: exportMediaTypes,
    tag,
    summary: "List audit events",
    description:
      "With `Accept: text/csv` or `application/x-ndjson`, exports all matching events in one response, without pages. With `q`, a page scans at most 20,000 events, for about a second: it can have fewer than `limit` items and still link to a next page. With `q` or `target`, events are not counted.",
    requestHeaders: [
      { name: "Accept", description: "The media type of the response, as described above." },
    ],
    scope: "audit:read",
    audit: null,
    query: listAuditEventsQuery,
    status: 200,
    response: z.array(auditEvent),
    errors: ["not_acceptable"],
    handle: async ({ context, caller, query, url, headers, isHead, isStillAllowed }) => {
      const { limit, cursor, sort, total: isCounted, ...filter } = query;
      const mediaType = negotiateMediaType(headers.get("accept"));
      if (mediaType !== "json") {
        const name = mediaType === "text/csv" ? "audit-events.csv" : "audit-events.ndjson";
        const contentHeaders = { "content-disposition": `attachment; filename="${name}"` };
        const events = isHead
          ? undefined
          : await startCountedExport(context, caller, () =>
              exportAuditEvents(context, caller, filter, isStillAllowed),
            );
        const stream = events === undefined ? null : toExport(mediaType, events);
        const contentType = `${mediaType}; charset=utf-8`;
        return { body: [], contentType, headers: contentHeaders, stream };
      }
      const page = { limit, after: idOfCursor(cursor), sort };
      const { events, next } = await listAuditEvents(context, caller, filter, page);
      const total =
        isCounted === true ? await countAuditEvents(context, caller, filter) : undefined;
      const link = linkHeader(context.config.baseUrl, url, next);
      return { body: events, headers: { ...link, ...totalHeaders(total) } };
    },
  }),
  defineRoute({
    method: "get",
    path: "/audit-events/verification",
    operation: "verifyAuditLog",
    tag,
    summary: "Verify the audit log",
    description:
      "Recomputes the hash chain, for a few seconds at most. If the result is not `complete`, send another request with `after`.",
    scope: "audit:read",
    audit: null,
    query: auditVerificationQuery,
    status: 200,
    response: auditVerification,
    errors: ["not_found"],
    handle: async ({ context, caller, query }) => ({
      body: await verifyAuditLog(context, caller, query.after),
    }),
  }),
];
