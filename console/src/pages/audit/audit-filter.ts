import type { ApiRequest } from "@toolhost/contract";
import type { AuditSearch } from "./search.ts";

/** The same as the service takes it: from the beginning of the first day to the end of the last. A text that is no day is left out. */
export type AuditQuery = NonNullable<ApiRequest<"GET /audit-events">["query"]>;

export function toAuditQuery({ actor, action, target, since, until }: AuditSearch): AuditQuery {
  return {
    actor: given(actor),
    action: given(action),
    target: given(target),
    since: startOfDay(since, 0)?.toISOString(),
    until: startOfDay(until, 1)?.toISOString(),
  };
}

function given(text: string | undefined): string | undefined {
  return text?.trim() === "" ? undefined : text?.trim();
}

/** Midnight where the person is, so many days later. */
function startOfDay(day: string | undefined, daysLater: number): Date | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? "");
  if (parts === null) return undefined;
  const [, year, month, date] = parts;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
}
