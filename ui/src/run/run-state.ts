import type { JsonObject } from "@toolhost/tool-schema/json";
import type { PointedProblem } from "@toolhost/tool-schema";

export type RunProgress = { fraction: number; message?: string };
export type LogLine = { at: string; level: string; message: string };
export type MissingCredential = {
  name: string;
  connectUrl: string;
  /** As the service says it, such as `missing` or `not_approved`. */
  reason?: string | undefined;
};

/** How far a run is, or how it ended. */
export type RunState =
  | { status: "idle" }
  | {
      status: "running";
      runId?: string | undefined;
      isQueued?: boolean | undefined;
      progress?: RunProgress | undefined;
      /** What the tool has written so far. */
      log?: readonly LogLine[] | undefined;
      /** False when the host could not end it now. */
      canCancel?: boolean | undefined;
      /** What somebody who waits should know. */
      note?: string | undefined;
    }
  | {
      status: "completed";
      output: JsonObject;
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
  /** It never began, as a person has to connect something first. */
  | { status: "missing"; missing: readonly MissingCredential[]; message: string }
  /** It never began, as its input was wrong or something else is in the way. */
  | {
      status: "refused";
      message: string;
      errors?: readonly PointedProblem[] | undefined;
      /** The errors are about the tool itself, such as its code, and not about what was filled in. */
      isAboutTool?: boolean | undefined;
    };
