import type { JsonObject } from "@toolhost/tool-schema/json";
import type { PointedProblem } from "@toolhost/tool-schema";

export type RunProgress = { fraction: number; message?: string };
export type LogLine = { at: string; level: string; message: string };
export type MissingCredential = {
  name: string;
  connectUrl: string;
  /** As the API reports it, such as `missing` or `not_approved`. */
  reason?: string | undefined;
};

/** What a running tool asks the user. */
export type RunQuestion = {
  id: string;
  message: string;
  /** The flat form of the answer. */
  schema: JsonObject;
  /** Until when it can be answered (RFC 3339). */
  expiresAt?: string | undefined;
};

/** The state of a run. */
export type RunState =
  | { status: "idle" }
  | {
      status: "running";
      runId?: string | undefined;
      isQueued?: boolean | undefined;
      progress?: RunProgress | undefined;
      question?: RunQuestion | undefined;
      /** The log output so far. */
      log?: readonly LogLine[] | undefined;
      /** False if the host cannot cancel the run. */
      canCancel?: boolean | undefined;
      /** A note for the user who waits. */
      note?: string | undefined;
    }
  | {
      status: "completed";
      output: JsonObject;
      /** Whether long parts of the output are cut. */
      isShortened?: boolean | undefined;
      runId?: string | undefined;
      durationMs?: number | undefined;
    }
  | {
      status: "failed";
      code?: string | undefined;
      message: string;
      stack?: string | undefined;
      log?: readonly LogLine[] | undefined;
      runId?: string | undefined;
      durationMs?: number | undefined;
    }
  | { status: "cancelled"; runId?: string | undefined; message?: string | undefined }
  /** The run was not started, because a credential is missing or not approved. */
  | { status: "missing"; missing: readonly MissingCredential[]; message: string }
  /** The run was not started, because the input is invalid or for another reason. */
  | {
      status: "refused";
      message: string;
      errors?: readonly PointedProblem[] | undefined;
      /** The page where the reason is resolved, such as the change of an MCP tool that is on hold. */
      reviewUrl?: string | undefined;
      /** Whether the errors are in the tool itself, such as its code, instead of the input. */
      isAboutTool?: boolean | undefined;
    };
