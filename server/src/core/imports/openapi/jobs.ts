import type { CreateDraftFromRequestInput } from "@toolhost/contract";
import type { OpenApiErrorCode } from "./errors.ts";
import type { GenerateOptions } from "./types.ts";

/** Work for a process that can be killed. */
export type OpenApiJob =
  | { kind: "list"; bytes: Uint8Array }
  | { kind: "generate"; bytes: Uint8Array; options: GenerateOptions }
  | { kind: "request"; request: CreateDraftFromRequestInput };

/** The result as JSON: each operation or tool, and the rest. */
export type JobResult =
  | { parts: string[]; rest: string; converted?: string }
  | { failure: OpenApiErrorCode | "internal"; message: string };
