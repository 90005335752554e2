import type { TracingConfig } from "./tracing.ts";

/** Decides whether a span is recorded, from its trace ID and from its parent's decision if there is a parent. */
export type Sampler = (traceId: string, isParentSampled: boolean | undefined) => boolean;

/** As many digits as a number represents exactly. */
const digits = 13;
const values = 16 ** digits;

/** The samplers of https://opentelemetry.io/docs/specs/otel/trace/sdk/#built-in-samplers. */
export function createSampler({ sampler, samplerRatio }: TracingConfig): Sampler {
  const [, parentBased, name] = /^(parentbased_)?(.*)$/.exec(sampler) ?? [];
  const ratio = name === "always_on" ? 1 : name === "always_off" ? 0 : samplerRatio;
  // The last digits of an ID are random, and every service that samples by ratio makes the same decision.
  const threshold = values - ratio * values;
  const isSampled = (traceId: string) =>
    ratio === 1 || Number.parseInt(traceId.slice(-digits), 16) >= threshold;
  return parentBased === undefined
    ? isSampled
    : (traceId, isParentSampled) => isParentSampled ?? isSampled(traceId);
}
