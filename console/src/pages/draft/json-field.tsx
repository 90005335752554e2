import type { ReactNode } from "react";
import { TextField } from "#components/fields";
import { isObject, isSameJson, parseJson, prettyJson } from "#lib/json";
import type { Json } from "#lib/json";
import { useState } from "react";
import { useDraft } from "./draft-context.ts";

/** A value as JSON. What is none yet, or not of its kind, is kept as it was typed, across a reload as well, and changes nothing until it is. */
export function JsonField({
  label,
  hint,
  place,
  value,
  onChange,
  isObjectOnly = false,
  rows = 4,
}: {
  label: string;
  hint?: string;
  /** Where in the definition it belongs; unlike that of any other field. */
  place: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  /** Whether no other value than an object counts. */
  isObjectOnly?: boolean;
  rows?: number;
}): ReactNode {
  const { state, store } = useDraft();
  const written = value === undefined ? "" : prettyJson(value);
  const [typed, setTyped] = useState(written);
  const kept = state.texts[place];
  const isSame = isSameJson(typed.trim() === "" ? undefined : parseJson(typed), value);
  return (
    <TextField
      label={label}
      {...(hint === undefined ? {} : { hint })}
      rows={rows}
      isCode
      value={kept ?? (isSame ? typed : written)}
      error={kept === undefined ? undefined : wordsFor(kept)}
      onChange={(text) => {
        setTyped(text);
        const parsed = parseJson(text);
        const isEmpty = text.trim() === "";
        const counts = isEmpty || (isObjectOnly ? isObject(parsed) : parsed !== undefined);
        store.setText(place, counts ? undefined : text);
        if (counts) onChange(parsed);
      }}
    />
  );
}

function wordsFor(kept: string): string {
  return parseJson(kept) === undefined
    ? "This is not JSON yet. It is kept in this browser."
    : "This has to be an object, as in { }. It is kept in this browser.";
}
