import type { NodeContext } from "#core/kernel";
import type { ConcurrencyLimits } from "./concurrency-limits.ts";
import type { Limits } from "./limits.ts";

export type LimitsContext = NodeContext & {
  /** Rate limits and quotas. */
  limits: Limits;
  /** Concurrency limits of this node: streams, uploads, waits and exports. */
  concurrency: ConcurrencyLimits;
};
