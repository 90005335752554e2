import type { RunsContext } from "#core/runs";

export type ToolListsContext = RunsContext;
