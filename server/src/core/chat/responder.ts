import type { JsonObject, Progress, Run, RunResult } from "@toolhost/contract";
import type { Caller } from "#core/kernel";
import type { ChatContext } from "./context.ts";
import type { ChatBlock, ChatFieldProblem, ChatFile, ChatForm, ChatValues } from "./block.ts";
import type { ChatDownload, ChatThreadMessage, ChatUpload } from "./platform.ts";

/** What decides how the bot answers. Exchanged as a whole; all that is durable is done around it. */
export type Responder = {
  /**
   * Does what a turn asks for and answers by {@link Turn.reply}. Called again, from the beginning, after a crash
   * or an error that passes (`ChatError` of `later`, a database that is away); so it runs tools by {@link Turn.run}
   * alone. A `ServiceError` becomes an answer in words.
   */
  answer(context: ChatContext, turn: Turn): Promise<void>;
  /**
   * The form for a question whose button was pressed with a choice that needs one; undefined when the press itself
   * answers it. There are less than three seconds.
   */
  formFor(context: ChatContext, pressed: PressedQuestion): Promise<ChatForm | undefined>;
  /** What is wrong with a form, in words, before it counts as an answer. As quick. */
  checkForm(
    context: ChatContext,
    question: OpenQuestion,
    values: ChatValues,
  ): Promise<ChatFieldProblem[]>;
  /** Whether a question that {@link Question.resumes} can be answered now. */
  isReady(context: ChatContext, question: OpenQuestion): Promise<boolean>;
  /** What the message about a run shows now that its progress has changed, or that it has ended. */
  showProgress(context: ChatContext, run: WatchedRun): readonly ChatBlock[];
};

/** A run whose end was promised, as it is now. */
type WatchedRun = {
  runId: string;
  title: string;
  isQueued: boolean;
  hasEnded: boolean;
  progress: Progress | null;
};

/** One thing to answer, in the name of the person who asked. */
export type Turn = {
  /** The same each time that the turn begins again. */
  id: string;
  /** The person, in the workspace that the team is connected to, with the role they have now. */
  caller: Caller;
  platform: string;
  teamName: string;
  chatUserId: string;
  trigger: Trigger;
  /** Aborted when the service stops or the turn has taken too long. */
  signal: AbortSignal;
  /** What was said in the thread before, oldest first, at most 20 messages. Hostile. */
  history(): Promise<readonly ChatThreadMessage[]>;
  /** The turn's answer: posted by the first call, and replaced by later ones, also after a crash. */
  reply(blocks: readonly ChatBlock[], how?: { notify?: boolean }): Promise<void>;
  /** Replaces what an earlier message of ours shows. */
  editMessage(messageId: string, blocks: readonly ChatBlock[]): Promise<void>;
  /** The runs that this turn began before it had to begin again, oldest first. */
  startedRuns(): Promise<Run[]>;
  /** Runs a tool once for this turn, however often the turn begins again: the same name and input is the same run. */
  run(asked: RunAsked): Promise<RunResult>;
  /** Keeps a question for the one who asked and gives its id, for buttons. What it is about stays here. */
  ask(question: Question): Promise<string>;
  /**
   * Promises the end of a run that goes on, after a reply that says so: the turn `run_ended` comes once, whatever
   * happens in between.
   */
  notifyOnCompletion(runId: string): Promise<void>;
  downloadFile(file: ChatFile, maxBytes: number): Promise<ChatDownload>;
  /** Puts a file into the thread. After a crash it may be there twice. */
  sendFile(file: ChatUpload): Promise<void>;
};

export type Trigger =
  | { kind: "message"; text: string; files: readonly ChatFile[] }
  | { kind: "answer"; question: Question; messageId: string | null; response: QuestionResponse }
  /** `messageId` is the message that showed the run at work; `reply` posts a new one, that people are told of. */
  | { kind: "run_ended"; runId: string; messageId: string };

/** How a question was answered. */
export type QuestionResponse = { choice: string } | { values: ChatValues };

export type RunAsked = {
  toolName: string;
  input: JsonObject;
  waitMs: number;
  /** Told the run's id as soon as there is one. */
  noteRun?: (runId: string) => void;
};

/** Something to be asked. It can be answered once, by the one whose turn it was, within a day. */
export type Question = {
  /** Such as `form`, `choice`, `confirm`: the responder's own words. */
  kind: string;
  /** What it is about, such as a tool's name and input. */
  subject: JsonObject;
  /**
   * The service answers it with the choice `run` as soon as {@link Responder.isReady} says so, unless the person
   * does it first.
   */
  resumes?: boolean;
};

/** A question that was not answered yet, and the person who may. */
export type OpenQuestion = Question & { id: string; caller: Caller };
export type PressedQuestion = OpenQuestion & { choice: string };
