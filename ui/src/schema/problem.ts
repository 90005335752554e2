/** What is wrong with a value, and where in it. */
export type Problem = {
  /** Names and indices on the way there; empty for the value itself. */
  path: readonly string[];
  message: string;
};

/** A problem as REST says it, with a JSON pointer. */
export type PointedProblem = { path: string; message: string };

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
