// What the language service of the editor answers. Positions are offsets in the text.

export type Problem = {
  from: number;
  to: number;
  /** Both start at 1. */
  line: number;
  column: number;
  severity: "error" | "warning" | "hint";
  message: string;
  code: number;
  /** Code that has no effect is shown faded, deprecated code struck through. */
  tag?: "unnecessary" | "deprecated";
};

export type Completion = {
  name: string;
  kind: string;
  /** Smaller sorts first. */
  rank: number;
  isDeprecated: boolean;
  /** Where the replaced text starts, if not at the start of the word. */
  from?: number;
};

export type Description = {
  signature: string;
  documentation: string;
  tags: readonly { name: string; text: string }[];
};

export type SignatureHelp = {
  before: string;
  parameter: string;
  after: string;
  documentation: string;
};

export type Edit = { from: number; to: number; insert: string };

export type Fix = { title: string; edits: readonly Edit[] };

export type Span = { from: number; to: number };
