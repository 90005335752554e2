/** A problem with a value, and where in the value it is. */
export type Problem = {
  /** Member names and indices; empty for the value itself. */
  path: readonly string[];
  message: string;
};

/** A problem as REST reports it, with a JSON pointer. A problem in a tool's code has a file, line and column. */
export type PointedProblem = {
  path: string;
  message: string;
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
};

/** Converts problems that the server reports: JSON pointers become paths. */
export function fromPointers(problems: readonly PointedProblem[]): Problem[] {
  return problems.map(({ path, message }) => ({
    path: path
      .split("/")
      .slice(1)
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
    message,
  }));
}
