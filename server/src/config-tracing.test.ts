import { describe, expect, it } from "vitest";
import { readConfig } from "#config";

const endpoint = "http://localhost:4318";

function read(settings: Record<string, string>) {
  return readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...settings }).tracing;
}

describe("readTracing", () => {
  it("traces nothing without an endpoint, or when disabled", () => {
    expect(readConfig({}).tracing).toBeUndefined();
    expect(readConfig({ OTEL_SERVICE_NAME: "tools" }).tracing).toBeUndefined();
    expect(read({ OTEL_SDK_DISABLED: "TRUE" })).toBeUndefined();
    expect(read({ OTEL_SDK_DISABLED: "no" })).toBeDefined();
  });

  it("appends the path for traces to the endpoint, and not to the endpoint for traces", () => {
    expect(read({})?.url).toBe("http://localhost:4318/v1/traces");
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://x.example.com/otlp/" })?.url).toBe(
      "https://x.example.com/otlp/v1/traces",
    );
    const tracesEndpoint = "https://y.example.com/spans";
    expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint })?.url).toBe(tracesEndpoint);
  });

  it("reads headers and attributes", () => {
    expect(
      read({
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc%3D, x-team=tools",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment.name=test",
      }),
    ).toMatchObject({
      headers: { authorization: "Bearer abc=", "x-team": "tools" },
      serviceName: "other",
      resourceAttributes: { "deployment.environment.name": "test" },
    });
    const both = {
      OTEL_EXPORTER_OTLP_HEADERS: "a=1",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "b=2",
      OTEL_SERVICE_NAME: "mine",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=other",
    };
    expect(read(both)).toMatchObject({ headers: { b: "2" }, serviceName: "mine" });
  });

  it("samples everything by default", () => {
    const byDefault = { sampler: "parentbased_always_on", samplerRatio: 1, trustedCallers: [] };
    expect(read({})).toMatchObject({ ...byDefault, serviceName: "toolhost" });
    expect(
      read({ OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" }),
    ).toMatchObject({ sampler: "parentbased_traceidratio", samplerRatio: 0.25 });
  });

  it.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4317", "must be an http or https URL"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", 'must be http/protobuf (it is "grpc")'],
    ["OTEL_TRACES_SAMPLER", "sometimes", "must be one of always_on, "],
    ["OTEL_TRACES_SAMPLER_ARG", "2", 'must be a number from 0 to 1 (it is "2")'],
    ["OTEL_RESOURCE_ATTRIBUTES", "a", "must be name=value pairs"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=%zz", "must be name=value pairs"],
    ["TRACE_TRUSTED_CALLERS", "everyone", "must be IP addresses or networks"],
  ])("refuses %s=%s", (name, value, words) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${words}`);
  });

  it("does not show an invalid header", () => {
    expect(() => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: "hunter2" })).toThrow(
      /OTLP_HEADERS(?!.*hunter2)/,
    );
  });
});
