/** What a build is asked to do. */
export type BuildJob = {
  kind: "bundle" | "types";
  source: { language: "typescript" | "javascript"; code: string };
  dependencies: Record<string, string>;
  limits: BuildLimits;
};

/** Bounds that a build holds by itself, for a clear error before the operating system ends it. */
export type BuildLimits = {
  /** Packages in its tree, counted as often as they are in it. */
  packages: number;
  /** Files of all packages. */
  files: number;
  /** Bytes of all packages, unpacked. */
  unpackedBytes: number;
  bundleBytes: number;
  /** Declarations that are answered. */
  types: { files: number; bytes: number };
};

/** What a build asks the service for, and what it says in the end. */
export type WorkerMessage =
  | { type: "ready" }
  | { type: "packument"; id: number; name: string }
  | { type: "tarball"; id: number; name: string; url: string; integrity: string }
  /** The body is the code, then the source map. */
  | { type: "bundle"; codeBytes: number }
  /** The body is `PackageTypes` as JSON. */
  | { type: "types" }
  /** The body is a list of `BuildProblem` as JSON. */
  | { type: "refused" };

/** What the service says to a build. */
export type HostMessage =
  /** The body is a `BuildJob` as JSON. */
  | { type: "build" }
  | { type: "data"; id: number }
  /** What came for this id until now is void, and comes again. */
  | { type: "restart"; id: number }
  | { type: "end"; id: number; encoding: "gzip" | "identity" }
  | { type: "not_found"; id: number };

/** What of a message is longer than these does not pass to the service. */
export const maxTexts = { name: 214, url: 2_000, integrity: 2_000, message: 1_000, file: 1_000 };

/** One thing that is wrong, as `ErrorDetail` of the contract has it. */
export type BuildProblem = {
  path: string;
  message: string;
  file?: string;
  line?: number;
  column?: number;
};

/** A tool that cannot be built as it is. */
export class RefusedError extends Error {
  override name = "RefusedError";
  readonly problems: readonly BuildProblem[];

  constructor(problems: readonly BuildProblem[]) {
    // Names, versions and paths of packages are as long as their authors like.
    const bounded = problems.map(({ message, file, ...rest }) => ({
      ...rest,
      message: message.slice(0, maxTexts.message),
      ...(file !== undefined && { file: file.slice(0, maxTexts.file) }),
    }));
    super(bounded[0]?.message);
    this.problems = bounded;
  }
}

/** Refuses the packages that a tool names. */
export function refusePackages(message: string): RefusedError {
  return new RefusedError([
    { path: "/source/dependencies", message, file: "package.json", line: 1, column: 1 },
  ]);
}
