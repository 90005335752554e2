import type { ApiRequest } from "@toolhost/contract/api";
import type { AuditSearch } from "./search.ts";

export type AuditQuery = NonNullable<ApiRequest<"GET /audit-events">["query"]>;

/** The API's query: from the start of the first day to the end of the last. Drops an invalid date. */
export function toAuditQuery(search: AuditSearch): AuditQuery {
  const { sort, actor, action, target, q, since, until } = search;
  return {
    ...(sort === "oldest" ? { sort } : {}),
    actor: nonEmpty(actor),
    action: nonEmpty(action),
    target: nonEmpty(target),
    q: nonEmpty(q),
    since: startOfDay(since, 0)?.toISOString(),
    until: startOfDay(until, 1)?.toISOString(),
  };
}

function nonEmpty(text: string | undefined): string | undefined {
  return text?.trim() === "" ? undefined : text?.trim();
}

/** Midnight in the user's time zone, `daysLater` after a day. */
function startOfDay(day: string | undefined, daysLater: number): Date | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? "");
  if (parts === null) return undefined;
  const [, year, month, date] = parts;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
}
