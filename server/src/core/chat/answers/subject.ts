import type { JsonObject } from "@toolhost/contract";
import type { ChatFile } from "../block.ts";
import type { Question } from "../trigger.ts";

/** Files of the chat by input field. */
export type AttachedFiles = Readonly<Record<string, readonly ChatFile[]>>;

/** Longer requests are cut for the search. */
export const maxTextLength = 2_000;

/** A tool and its known input: the subject of our questions, which never comes from a client. */
export type ToolRequest = {
  toolName: string;
  /** The version that the person saw. */
  version: number;
  input: JsonObject;
  attached: AttachedFiles;
  /** The text of the request, to search for another tool. */
  text: string;
  /** Whether `again` waits for a credential that has no value yet, and not for approvals alone. */
  waitsForValues?: boolean;
  /** Whether the person confirmed exactly this input, with `again` only. */
  isConfirmed?: boolean;
};

/**
 * `offer`: run or complete this tool; `confirm`: run it with this input; `again`: run it once its credentials are
 * there; `none`: no offered tool fits.
 */
export type QuestionKind = "offer" | "confirm" | "again" | "none";

export function toQuestion(
  kind: QuestionKind,
  { attached, isConfirmed = false, ...toolRequest }: ToolRequest,
): Question {
  const files = Object.entries(attached).map(([name, list]) => [
    name,
    list.map((file) => ({ ...file })),
  ]);
  const subject = { ...toolRequest, attached: Object.fromEntries(files) as JsonObject };
  return kind === "again"
    ? { kind, subject: { ...subject, isConfirmed }, resumes: true }
    : { kind, subject };
}

/** The subject of a question. It was encrypted, so it is as we wrote it. */
export function readSubject({ subject }: Pick<Question, "subject">): ToolRequest {
  return subject as unknown as ToolRequest;
}
