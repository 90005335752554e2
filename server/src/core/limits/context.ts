import type { NodeContext } from "#core/kernel";
import type { Holds } from "./holds.ts";
import type { Limits } from "./limits.ts";

export type LimitsContext = NodeContext & {
  /** Rate limits and quotas. */
  limits: Limits;
  /** Streams, uploads, waits and exports that are open in this process. */
  holds: Holds;
};
