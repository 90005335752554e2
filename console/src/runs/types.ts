import type { RunState } from "@toolhost/ui";

export type { JsonObject, LogLine, Run, RunResult } from "@toolhost/contract";

/** How far a running tool says it is. */
export type RunProgress = NonNullable<Extract<RunState, { status: "running" }>["progress"]>;
