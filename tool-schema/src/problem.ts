/** What is wrong with a value, and where in it. */
export type Problem = {
  /** Names and indices on the way there; empty for the value itself. */
  path: readonly string[];
  message: string;
};

/** A problem as REST says it, with a JSON pointer; one of a tool's code names the place there. */
export type PointedProblem = {
  path: string;
  message: string;
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
};

/** Reads the JSON pointers of problems that a server found. */
export function fromPointers(problems: readonly PointedProblem[]): Problem[] {
  return problems.map(({ path, message }) => ({
    path: path
      .split("/")
      .slice(1)
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
    message,
  }));
}
