import type { JsonObject } from "@toolhost/contract";
import type { ChatFile } from "../block.ts";
import type { Question } from "../trigger.ts";

/** Files of the chat for fields of a tool's input. */
export type AttachedFiles = Readonly<Record<string, readonly ChatFile[]>>;

/** A tool with what is known of its input: what our questions are about. It never comes from a client. */
export type Asked = {
  toolName: string;
  /** The version that was shown. */
  version: number;
  input: JsonObject;
  attached: AttachedFiles;
  /** What was asked in words, to look for something else. */
  text: string;
};

/**
 * `offer`: whether it is the right tool, and what it is still to be told; `confirm`: an input in full, and whether to
 * run it; `again`: to run it once its credentials are there; `none`: that no offered tool is right.
 */
export type QuestionKind = "offer" | "confirm" | "again" | "none";

export function toQuestion(kind: QuestionKind, { attached, ...asked }: Asked): Question {
  const files = Object.entries(attached).map(([name, list]) => [
    name,
    list.map((file) => ({ ...file })),
  ]);
  const subject = { ...asked, attached: Object.fromEntries(files) as JsonObject };
  return kind === "again" ? { kind, subject, resumes: true } : { kind, subject };
}

/** What a question of ours is about. It was encrypted, so it is as we wrote it. */
export function readSubject({ subject }: Pick<Question, "subject">): Asked {
  return subject as unknown as Asked;
}
