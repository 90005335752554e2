import type { ReactNode } from "react";
import { useState } from "react";
import { TextField } from "#components/fields";
import type { Json } from "#lib/json";
import { messages } from "./messages.ts";

/** Edits an optional number. Invalid text shows an error and leaves the value unchanged. */
export function NumberField({
  label,
  hint,
  placeholder = "",
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  placeholder?: string;
  value: Json | undefined;
  onChange: (value: number | undefined) => void;
}): ReactNode {
  const [text, setText] = useState(typeof value === "number" ? String(value) : "");
  const typed = text.trim() === "" ? undefined : Number(text);
  const isInvalid = typed !== undefined && !Number.isFinite(typed);
  const known = typeof value === "number" ? value : undefined;
  const shown = isInvalid || typed === known ? text : String(known ?? "");
  return (
    <TextField
      label={label}
      {...(hint === undefined ? {} : { hint })}
      placeholder={placeholder}
      inputMode="decimal"
      value={shown}
      error={isInvalid ? messages.fields.invalidNumber : undefined}
      onChange={(next) => {
        setText(next);
        const number = next.trim() === "" ? undefined : Number(next);
        if (number === undefined || Number.isFinite(number)) onChange(number);
      }}
    />
  );
}
