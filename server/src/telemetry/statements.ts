import { createLruMap } from "#lib/lru";
import { databaseStatement, failure } from "./conventions.ts";
import type { Meter } from "./meter.ts";
import type { Tracing } from "./tracing.ts";

/** The same as the database's type, which telemetry does not know. */
type StatementObserver = (
  texts: readonly string[],
  startedAt?: number,
) => ((error?: unknown) => void) | undefined;

const maxCached = 500;
/** Database client spans, "Generating a summary of the query". */
const maxSummaryLength = 255;

/** Measures all statements of the database, and traces those of the active span. */
export function observeStatements(
  { tracing, meter }: { tracing: Tracing; meter: Meter },
  system: string,
): StatementObserver {
  const trace = traceStatements(tracing, system);
  return (texts, startedAt) => {
    const end = trace?.(texts, startedAt);
    const measuredFrom =
      startedAt === undefined ? performance.now() : startedAt - performance.timeOrigin;
    return (error) => {
      meter.statementEnded(performance.now() - measuredFrom);
      end?.(error);
    };
  };
}

/** Undefined while tracing is off. */
function traceStatements(tracing: Tracing, system: string): StatementObserver | undefined {
  if (!tracing.isOn) return undefined;
  const summaries = createLruMap<string, string>(maxCached);
  const summaryOf = (text: string) => {
    let summary = summaries.get(text);
    if (summary === undefined) summaries.set(text, (summary = summarizeStatement(text)));
    return summary;
  };
  const describe = (texts: readonly string[]) => {
    const summary = join(new Set(texts.map(summaryOf)));
    return databaseStatement({ system, summary, count: texts.length });
  };
  return (texts, startedAt) => {
    // Background tasks have no span, and their statements would be traces of their own.
    if (!tracing.isActive()) return undefined;
    const span = tracing.start(describe, texts, startedAt === undefined ? {} : { startedAt });
    return (error) => {
      if (error !== undefined) span.update(failure, error);
      span.end();
    };
  };
}

/** Without `for update` and `do update`, which change no other table. */
const writePattern =
  /\b(insert) into "?(\w+)|(?<!\b(?:for|do) )\b(update) "?(\w+)|\b(delete) from "?(\w+)/gi;
/** Without functions, as in `extract(epoch from now())`. */
const readPattern = /\b(?:from|join)\s+"?(\w+)\b(?!\s*\()/gi;

/** The operations and tables of a statement, such as `update runs insert audit_events`. Values are never part of it. */
export function summarizeStatement(text: string): string {
  const writes = [...text.matchAll(writePattern)].map((match) =>
    match.slice(1).filter(Boolean).join(" "),
  );
  if (writes.length > 0) return join(new Set(writes));
  const tables = new Set([...text.matchAll(readPattern)].map(([, table = ""]) => table));
  if (tables.size > 0) return join(["select", ...tables]);
  return /\w+/.exec(text)?.[0] ?? "statement";
}

/** Joins as many parts as a summary may contain. */
function join(parts: Iterable<string>): string {
  let all = "";
  for (const part of parts) {
    if (all.length + part.length >= maxSummaryLength) break;
    all += all === "" ? part : ` ${part}`;
  }
  return all;
}
