import type { RunsContext } from "#core/runs";

export type AgentsContext = RunsContext;
