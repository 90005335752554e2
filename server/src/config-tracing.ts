import { z } from "zod";
import { hostList, listOf, networkList, webAddress } from "./config-values.ts";

const pairPattern = /^[^\s=]+=[^\s]*$/;

/** `name=value` pairs with percent-encoded values, as OpenTelemetry's environment variables contain them. */
const pairs = listOf(
  (entry) => pairPattern.test(entry) && isEncoded(entry),
  "must be name=value pairs, separated by commas, with percent-encoded values",
).transform((entries) =>
  Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf("=");
      return [entry.slice(0, at), decodeURIComponent(entry.slice(at + 1))] as const;
    }),
  ),
);

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** The only protocol of the exporter. Another one would fail without a clear error. */
const protocol = z.enum(["http/protobuf"]).optional();

const ratio = z.coerce
  .number("must be a number from 0 to 1")
  .min(0, "must be a number from 0 to 1")
  .max(1, "must be a number from 0 to 1");

/**
 * Tracing: the standard variables of OpenTelemetry
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ and
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/), and the service's own.
 */
export const tracingSettings = {
  OTEL_SDK_DISABLED: z
    .string()
    .default("false")
    .transform((text) => text.toLowerCase() === "true")
    .describe("`true` turns tracing off."),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional().meta({
    description:
      "Collector that receives OTLP over HTTP (protobuf). Without an endpoint nothing is traced. See [Trace requests](../operate/operate.md#trace-requests).",
    example: "http://localhost:4318",
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress
    .optional()
    .describe("The full URL for traces, instead of the endpoint with `/v1/traces`."),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.meta({
    description: "Protocol of the exporter.",
    unset: "`http/protobuf`",
  }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.meta({
    description: "Protocol of the exporter.",
    unset: "`http/protobuf`",
  }),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.optional().meta({
    description: "Headers for the collector, comma-separated, with percent-encoded values.",
    example: "authorization=Bearer%20abc",
  }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs
    .optional()
    .describe("Headers for traces, instead of the others."),
  OTEL_SERVICE_NAME: z.string().min(1).optional().meta({
    description: "Name of the service in traces.",
    unset: "`toolhost`",
    example: "toolhost",
  }),
  OTEL_RESOURCE_ATTRIBUTES: pairs.default({}).meta({
    description: "Attributes of the service in traces.",
    example: "deployment.environment.name=production",
  }),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers)
    .default("parentbased_always_on")
    .describe("Which requests are traced."),
  OTEL_TRACES_SAMPLER_ARG: ratio
    .default(1)
    .describe("The ratio of samplers that have one, from 0 to 1."),
  TRACE_TRUSTED_CALLERS: networkList.default([]).meta({
    description:
      "Addresses or networks of callers whose traces are continued, comma-separated; traces of others are linked.",
    example: "10.0.0.0/8",
  }),
  TRACE_PROPAGATION_HOSTS: hostList.default([]).meta({
    description: "Hosts that requests of tools send the trace context to, comma-separated.",
    example: "api.internal.example.com",
  }),
};

const schema = z.object(tracingSettings);

/** How to trace, and where to send the spans. */
export type TracingConfig = {
  url: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  resourceAttributes: Readonly<Record<string, string>>;
  sampler: (typeof samplers)[number];
  samplerRatio: number;
  /** Networks whose trace context is continued. */
  trustedCallers: readonly string[];
};

/** Undefined without an endpoint: then nothing is traced. */
export function readTracing(settings: z.infer<typeof schema>): TracingConfig | undefined {
  const {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint,
    OTEL_RESOURCE_ATTRIBUTES: resourceAttributes,
  } = settings;
  const url = tracesEndpoint ?? (endpoint && `${endpoint.replace(/\/+$/, "")}/v1/traces`);
  if (url === undefined || settings.OTEL_SDK_DISABLED) return undefined;
  return {
    url,
    headers:
      settings.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: settings.OTEL_SERVICE_NAME ?? resourceAttributes["service.name"] ?? "toolhost",
    resourceAttributes,
    sampler: settings.OTEL_TRACES_SAMPLER,
    samplerRatio: settings.OTEL_TRACES_SAMPLER_ARG,
    trustedCallers: settings.TRACE_TRUSTED_CALLERS,
  };
}
