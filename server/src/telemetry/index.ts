import type { ExportReport } from "./exporter.ts";
import { noTracing } from "./tracing.ts";
import type { Tracing, TracingConfig } from "./tracing.ts";

export {
  chatJob,
  egressRequest,
  egressResponse,
  executeTool,
  failure,
  httpRequest,
  httpResponse,
  mcpError,
  mcpRequest,
  queueWait,
  runEnd,
  sandboxExecute,
  sandboxLease,
  sandboxUsage,
} from "./conventions.ts";
export type { AccessLog } from "./access-log.ts";
export { createAccessLog, noAccessLog } from "./access-log.ts";
export type { EndedRun, Meter } from "./meter.ts";
export { createMeter } from "./meter.ts";
export type { Ranked } from "./ranking.ts";
export { observeStatements } from "./statements.ts";
export type { Received, Span, Tracing } from "./tracing.ts";
export { noSpan, noTracing } from "./tracing.ts";

/** Opens tracing as configured. What records and sends spans is loaded only if tracing is on. */
export async function openTracing(
  config: TracingConfig | undefined,
  report: ExportReport,
): Promise<Tracing> {
  if (config === undefined) return noTracing;
  const { createRecorder } = await import("./recorder.ts");
  return createRecorder(config, report);
}
