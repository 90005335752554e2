import type { ReactNode } from "react";
import { useState } from "react";
import { TextField } from "#components/fields";

type LinesFieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  lines: readonly string[];
  onChange: (lines: string[]) => void;
  placeholder?: string;
};

/** Edits a list of strings, one per line. Empty lines are ignored. */
export function LinesField({ lines, onChange, ...rest }: LinesFieldProps): ReactNode {
  const [text, setText] = useState(lines.join("\n"));
  // The typed text is shown while it means the same as the value; a value changed elsewhere replaces it.
  const shown = isSame(read(text), lines) ? text : lines.join("\n");
  return (
    <TextField
      {...rest}
      rows={Math.min(Math.max(shown.split("\n").length, 2), 8)}
      isCode
      value={shown}
      onChange={(typed) => {
        setText(typed);
        onChange(read(typed));
      }}
    />
  );
}

function read(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}
