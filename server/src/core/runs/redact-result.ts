import type { ExecuteResult, Redactor } from "@toolhost/sandbox";

/** A result as it may be kept and shown: without the values of the run's credentials. */
export function redactResult(result: ExecuteResult, redact: Redactor): ExecuteResult {
  const logs = result.logs.map((entry) => ({ ...entry, message: redact(entry.message) }));
  if (result.status === "completed") {
    const output = redactValue(JSON.parse(result.outputJson), redact);
    return { ...result, logs, outputJson: JSON.stringify(output) };
  }
  if (result.status === "cancelled") return { ...result, logs };
  const { stack, ...error } = result.error;
  return {
    ...result,
    logs,
    error: {
      ...error,
      message: redact(error.message),
      ...(stack === undefined ? {} : { stack: redact(stack) }),
    },
  };
}

/** A JSON value without secrets in its texts and names; the sandbox bounds their depth. */
export function redactValue(value: unknown, redact: Redactor): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name), redactValue(item, redact)]),
  );
}
