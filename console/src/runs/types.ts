import type { RunState } from "@toolhost/ui";

export type { JsonObject, LogLine, Run, RunResult } from "@toolhost/contract";

/** The progress that a running tool reports. */
export type RunProgress = NonNullable<Extract<RunState, { status: "running" }>["progress"]>;
