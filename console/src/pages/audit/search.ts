import { oneOf, searchParams, text } from "#lib/search-params";

/** A calendar day of the user's time zone, `YYYY-MM-DD`. */
function day(value: unknown): string | undefined {
  const given = text(value);
  return given !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(given) ? given : undefined;
}

export const validateAuditSearch = searchParams({
  sort: oneOf(["oldest"]),
  actor: text,
  action: text,
  target: text,
  q: text,
  since: day,
  until: day,
});

export type AuditSearch = ReturnType<typeof validateAuditSearch>;
