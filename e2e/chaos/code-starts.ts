/** A log line of a node that records the start of a run's code. */
export type CodeStart = { node: string; runId: string; attempt: number };

/** Finds the starts in a node's log at LOG_LEVEL=debug. Each start has one external effect. */
export function readCodeStarts(node: string, printed: string): CodeStart[] {
  return printed
    .split("\n")
    .filter((line) => line.includes(`"msg":"executing a run"`) && line.endsWith("}"))
    .map((line) => {
      const { runId, attempt } = JSON.parse(line) as { runId: string; attempt: number };
      return { node, runId, attempt };
    });
}
