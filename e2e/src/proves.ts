import type { RequirementId } from "../requirements.ts";

/** Names the requirements that a test proves: `test("…", proves("run.completed"), async () => …)`. */
export function proves(...ids: RequirementId[]): { meta: { proves: RequirementId[] } } {
  return { meta: { proves: ids } };
}

declare module "vitest" {
  // Declaration merging requires an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface TaskMeta {
    proves?: RequirementId[];
  }
}
