import { useQuery } from "@tanstack/react-query";
import type { ToolActivity } from "@toolhost/contract";
import { itemQuery } from "#api/queries";

const refreshMs = 15_000;

/** The last runs of each tool that ran lately. What is not known is left out: lists are useful without. */
export function useActivity(): ReadonlyMap<string, ToolActivity["runs"]> {
  const { data } = useQuery({
    ...itemQuery("/tool-activity"),
    refetchInterval: refreshMs,
  });
  return new Map((data ?? []).map(({ toolName, runs }) => [toolName, runs]));
}
