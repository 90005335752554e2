import type { RunsContext } from "#core/runs";

export type DraftsContext = RunsContext;
