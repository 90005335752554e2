/**
 * A part of a message, on any platform. Text is shown literally: tools and other people may have written it, so it
 * cannot create mentions, notifications, or links other than the URLs in it.
 */
export type ChatBlock =
  | { kind: "text"; text: string }
  /** CommonMark, as far as the platform supports it. */
  | { kind: "markdown"; text: string }
  | { kind: "code"; text: string }
  | { kind: "fields"; fields: readonly { label: string; value: string }[] }
  | { kind: "table"; columns: readonly string[]; rows: readonly (readonly string[])[] }
  /** The URL must be public. */
  | { kind: "image"; url: string; description: string }
  | { kind: "link"; label: string; url: string }
  /** Asks how good a result is, on platforms with `feedback`. Its choices are `good` and `bad`. */
  | { kind: "feedback"; questionId: string }
  | { kind: "buttons"; buttons: readonly ChatButton[] };

/** A button answers a stored question, or opens a URL. */
export type ChatButton = { label: string; style?: "primary" | "danger" } & (
  | { questionId: string; choice: string }
  | { url: string }
);

/** A form that one person fills in. */
export type ChatForm = {
  /** The question that the form answers. */
  questionId: string;
  /** The choice whose button opened it. */
  choice?: string;
  title: string;
  introduction?: string;
  submitLabel: string;
  /** Returned with the values, on platforms that forget the press. */
  responseUrl?: string | undefined;
  fields: readonly ChatField[];
};

export type ChatField = {
  /** Identifies the submitted value. */
  name: string;
  label: string;
  hint?: string;
  isRequired: boolean;
} & (
  | {
      kind: "text" | "longText";
      /** Hides what the person enters, or offers the keyboard for it, where the form can. */
      content?: "password" | "email" | "url";
      initial?: string;
      maxLength?: number;
    }
  | { kind: "number"; isWhole: boolean; initial?: string; min?: number; max?: number }
  | { kind: "boolean"; initial?: boolean }
  | { kind: "date" | "time"; initial?: string }
  | { kind: "choice"; choices: readonly ChatChoice[]; initial?: string }
  | { kind: "choices"; choices: readonly ChatChoice[]; initial?: readonly string[] }
  | { kind: "file"; maxFiles: number }
);

/** `value` is submitted. Platforms limit its length, so it may be an index. */
export type ChatChoice = { label: string; value: string };

/** The submitted values by field name, without empty fields. Not validated. */
export type ChatValues = Readonly<Record<string, string | boolean | readonly string[] | ChatFiles>>;

/** Distinguishes files from the other kinds of values. */
type ChatFiles = { files: readonly ChatFile[] };

/** A problem with one field of a form. */
export type ChatFieldProblem = { name: string; message: string };

/** A file in the chat. Name and type are untrusted. */
export type ChatFile = {
  /** The platform's ID. */
  id: string;
  name: string;
  mimeType: string;
  size: number;
  /** The ID of the file in this service, if it was uploaded here. Adapters never set it. */
  fileId?: string;
};
