/**
 * What a message is made of, on any platform. Text is what it says and nothing more: a platform shows no
 * mention, link or alarm that only the text asks for, for tools and other people may have written it.
 */
export type ChatBlock =
  | { kind: "text"; text: string }
  /** CommonMark, as far as the platform shows it; the rest is shown as it stands. */
  | { kind: "markdown"; text: string }
  | { kind: "code"; text: string }
  | { kind: "fields"; fields: readonly { label: string; value: string }[] }
  | { kind: "table"; columns: readonly string[]; rows: readonly (readonly string[])[] }
  /** Of an address that everybody may open. */
  | { kind: "image"; url: string; description: string }
  | { kind: "link"; label: string; url: string }
  | { kind: "buttons"; buttons: readonly ChatButton[] };

/** A button answers a question that is kept here, or leads to an address. */
export type ChatButton = { label: string; style?: "primary" | "danger" } & (
  | { questionId: string; choice: string }
  | { url: string }
);

/** A form in front of the chat, to be filled in by one person. */
export type ChatForm = {
  /** What is kept of what it is about. */
  questionId: string;
  /** The choice that it was asked for with, where a button opened it. */
  choice?: string;
  title: string;
  introduction?: string;
  submitLabel: string;
  fields: readonly ChatField[];
};

export type ChatField = {
  /** Comes back with the value. */
  name: string;
  label: string;
  hint?: string;
  isRequired: boolean;
} & (
  | { kind: "text" | "longText"; initial?: string; maxLength?: number }
  | { kind: "number"; isWhole: boolean; initial?: string; min?: number; max?: number }
  | { kind: "boolean"; initial?: boolean }
  | { kind: "date" | "time"; initial?: string }
  | { kind: "choice"; choices: readonly ChatChoice[]; initial?: string }
  | { kind: "choices"; choices: readonly ChatChoice[]; initial?: readonly string[] }
  | { kind: "file"; maxFiles: number }
);

/** `value` comes back; platforms bound its length, so it may be a place in a list. */
export type ChatChoice = { label: string; value: string };

/** What was filled in, by the names of the fields; what was left empty is missing. Nothing of it was checked. */
export type ChatValues = Readonly<Record<string, string | boolean | readonly string[] | ChatFiles>>;

/** Files that were given to a form, apart from what else a value may be. */
type ChatFiles = { files: readonly ChatFile[] };

/** What is wrong with a field of a form. */
export type ChatFieldProblem = { name: string; message: string };

/** A file that somebody put into the chat. Name and type are what they say. */
export type ChatFile = {
  /** The platform's id. */
  id: string;
  name: string;
  mimeType: string;
  size: number;
};
