/** A line of a node's log that says that a run's code starts now. */
export type CodeStart = { node: string; runId: string; attempt: number };

/** Finds the starts in what a node printed at LOG_LEVEL=debug: the count of a tool's effects on the world. */
export function readCodeStarts(node: string, printed: string): CodeStart[] {
  return printed
    .split("\n")
    .filter((line) => line.includes(`"msg":"a run's code starts"`) && line.endsWith("}"))
    .map((line) => {
      const { runId, attempt } = JSON.parse(line) as { runId: string; attempt: number };
      return { node, runId, attempt };
    });
}
