import type { ReactNode } from "react";
import { useState } from "react";
import { TextField } from "#components/fields";
import type { Json } from "#lib/json";

/** A number that may be left out. What is no number is said to be none, and changes nothing. */
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
  const isNone = typed !== undefined && !Number.isFinite(typed);
  const known = typeof value === "number" ? value : undefined;
  const shown = isNone || typed === known ? text : String(known ?? "");
  return (
    <TextField
      label={label}
      {...(hint === undefined ? {} : { hint })}
      placeholder={placeholder}
      inputMode="decimal"
      value={shown}
      error={isNone ? "This is no number." : undefined}
      onChange={(next) => {
        setText(next);
        const number = next.trim() === "" ? undefined : Number(next);
        if (number === undefined || Number.isFinite(number)) onChange(number);
      }}
    />
  );
}
