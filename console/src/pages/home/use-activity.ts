import { useQuery } from "@tanstack/react-query";
import type { ToolActivity } from "@toolhost/contract";
import { itemQuery } from "#api/queries";

const refreshMs = 15_000;

/** The latest runs of each recently run tool. Errors are ignored, because lists work without it. */
export function useActivity(): ReadonlyMap<string, ToolActivity["runs"]> {
  const { data } = useQuery({
    ...itemQuery("/tool-activity"),
    refetchInterval: refreshMs,
  });
  return new Map((data ?? []).map(({ toolName, runs }) => [toolName, runs]));
}
