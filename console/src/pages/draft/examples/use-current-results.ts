import { useQuery } from "@tanstack/react-query";
import type { ExampleResults } from "@toolhost/contract";
import { itemQuery } from "#api/queries";
import { objectsAt } from "../definition/read-definition.ts";
import { useDraft } from "../draft-context.ts";
import { useRunContext } from "../run/run-context.ts";
import { fromResults } from "./run-example.ts";
import type { ExampleRun } from "./run-example.ts";
import type { ExampleRuns } from "./use-example-runs.ts";

/** The last stored results of the examples, unless the draft was changed since. */
export function useCurrentResults(): { last: ExampleResults | undefined; isPending: boolean } {
  const { draft, state } = useDraft();
  const { data, isPending } = useQuery(
    itemQuery("/drafts/{id}/example-results", { params: { id: draft.id } }),
  );
  const last = data?.[0];
  const isCurrent = last?.revision === state.revision && state.status === "saved";
  return { last: isCurrent ? last : undefined, isPending };
}

/** The results of running the examples on this page, or the stored ones if they were not run on it. */
export function useShownRuns(): Pick<ExampleRuns, "examples"> & {
  results: readonly (ExampleRun | undefined)[];
} {
  const { definition } = useDraft();
  const { examples: runs } = useRunContext();
  const { last } = useCurrentResults();
  if (runs.results !== undefined) return { results: runs.results, examples: runs.examples };
  return { results: fromResults(last?.results ?? []), examples: objectsAt(definition, "examples") };
}
