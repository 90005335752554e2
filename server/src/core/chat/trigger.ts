import type { JsonObject } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { ChatFile, ChatValues } from "./block.ts";

/** What a turn answers. */
export type Trigger =
  | { kind: "message"; text: string; files: readonly ChatFile[] }
  | { kind: "answer"; question: Question; messageId: string | null; response: QuestionResponse }
  /** `messageId` is the message that showed the run's progress. The reply is a new message, which notifies people. */
  | { kind: "run_ended"; runId: string; messageId: string };

/** A question to the person of a turn, who can answer it once within a day. */
export type Question = {
  /** Such as `offer` or `confirm`. */
  kind: string;
  /** The subject, such as a tool's name and input. */
  subject: JsonObject;
  /** Whether the service answers it with the choice `run` once the tool can run, unless the person answers first. */
  resumes?: boolean;
};

export type QuestionResponse = { choice: string } | { values: ChatValues };

/** An unanswered question, and the person who may answer it. */
export type OpenQuestion = Question & { id: string; caller: Caller };
export type PressedQuestion = OpenQuestion & { choice: string };
