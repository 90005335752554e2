/** The job of a build. */
export type BuildJob = {
  /** `newest` finds the newest version of the one dependency, and builds nothing. */
  kind: "bundle" | "types" | "newest";
  source: { language: "typescript" | "javascript"; code: string };
  dependencies: Record<string, string>;
  limits: BuildLimits;
};

/** Limits that a build enforces itself, for a clear error before the operating system kills it. */
export type BuildLimits = {
  /** Packages in the dependency tree, including duplicates. */
  packages: number;
  /** Files of all packages. */
  files: number;
  /** Bytes of all packages, unpacked. */
  unpackedBytes: number;
  bundleBytes: number;
  /** Returned declarations. */
  types: { files: number; bytes: number };
};

/** Messages from a build to the service. */
export type WorkerMessage =
  | { type: "ready" }
  | { type: "packument"; id: number; name: string }
  | { type: "tarball"; id: number; name: string; url: string; integrity: string }
  /** The body is the code, then the source map. */
  | { type: "bundle"; codeBytes: number }
  /** The body is `PackageTypes` as JSON. */
  | { type: "types" }
  /** The body is a version as JSON, or null. */
  | { type: "newest" }
  /** The body is a list of `BuildProblem` as JSON. */
  | { type: "refused" };

/** Messages from the service to a build. */
export type HostMessage =
  /** The body is a `BuildJob` as JSON. */
  | { type: "build" }
  | { type: "data"; id: number }
  /** Discards the data for this ID, which is sent again. */
  | { type: "restart"; id: number }
  | { type: "end"; id: number; encoding: "gzip" | "identity" }
  | { type: "not_found"; id: number };

/** Maximum lengths of texts in messages to the service. */
export const maxTexts = { name: 214, url: 2_000, integrity: 2_000, message: 1_000, file: 1_000 };

/** A problem, in the form of `ErrorDetail` of the contract. */
export type BuildProblem = {
  path: string;
  message: string;
  file?: string;
  line?: number;
  column?: number;
};

/** The tool or its packages cannot be built. */
export class RefusedError extends Error {
  override name = "RefusedError";
  readonly problems: readonly BuildProblem[];

  constructor(problems: readonly BuildProblem[]) {
    // Names, versions and paths of packages may have any length.
    const bounded = problems.map(({ message, file, ...rest }) => ({
      ...rest,
      message: message.slice(0, maxTexts.message),
      ...(file !== undefined && { file: file.slice(0, maxTexts.file) }),
    }));
    super(bounded[0]?.message);
    this.problems = bounded;
  }
}

/** An error in the dependencies of a tool. */
export function refusePackages(message: string): RefusedError {
  return new RefusedError([
    { path: "/source/dependencies", message, file: "package.json", line: 1, column: 1 },
  ]);
}
