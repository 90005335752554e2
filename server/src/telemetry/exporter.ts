import { createOtlpHttpExportDelegate } from "@opentelemetry/otlp-exporter-base/node-http";
import { httpAgentFactoryFromOptions } from "@opentelemetry/otlp-exporter-base/node-http";
import {
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from "@opentelemetry/otlp-transformer";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { TracingConfig } from "../config-tracing.ts";

/** Called once when the collector stops accepting spans, and once when it accepts them again. */
export type ExportReport = (
  event: { state: "failing"; reason: string } | { state: "recovered"; lostSpans: number },
) => void;

/** For one batch with its retries. A collector that does not answer holds up no more than the queue of spans. */
const timeoutMs = 5_000;

/**
 * Sends spans as OTLP over HTTP. Built from the parts of the SDK's own exporter, which also reads environment variables.
 */
export function createExporter(
  { url, headers }: TracingConfig,
  report: ExportReport,
): SpanExporter {
  const delegate = createOtlpHttpExportDelegate(
    {
      url,
      headers: async () => ({ ...headers, "Content-Type": "application/x-protobuf" }),
      timeoutMillis: timeoutMs,
      concurrencyLimit: 4,
      compression: "none",
      agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
    },
    ProtobufTraceSerializer,
    "otlp_http_span_exporter",
    TraceExporterMetricsHelper,
    undefined,
  );
  let lostSpans = 0;
  return {
    export: (spans, done) =>
      delegate.export(spans, (result) => {
        if (result.error !== undefined) {
          if (lostSpans === 0) report({ state: "failing", reason: reasonOf(result.error) });
          lostSpans += spans.length;
        } else if (lostSpans > 0) {
          report({ state: "recovered", lostSpans });
          lostSpans = 0;
        }
        done(result);
      }),
    forceFlush: () => delegate.forceFlush(),
    shutdown: () => delegate.shutdown(),
  };
}

/** The code of a network error, or the status of a response, whose text may contain anything. */
function reasonOf(error: Error): string {
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" || typeof code === "number" ? String(code) : error.name;
}
