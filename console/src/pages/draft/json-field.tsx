import type { ReactNode } from "react";
import { TextField } from "#components/fields";
import { isObject, isSameJson, parseJson, prettyJson } from "#lib/json";
import type { Json } from "#lib/json";
import { useState } from "react";
import { useDraft } from "./draft-context.ts";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.fields;

/** Edits a value as JSON. Text that is not valid yet is stored in this browser and leaves the value unchanged. */
export function JsonField({
  label,
  hint,
  path,
  value,
  onChange,
  isObjectOnly = false,
  rows = 4,
}: {
  label: string;
  hint?: string;
  /** The unique path of the value in the definition, which the stored text belongs to. */
  path: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  /** Whether only an object is valid. */
  isObjectOnly?: boolean;
  rows?: number;
}): ReactNode {
  const { state, store } = useDraft();
  const formatted = value === undefined ? "" : prettyJson(value);
  const [typed, setTyped] = useState(formatted);
  const invalidText = state.texts[path];
  const isSame = isSameJson(typed.trim() === "" ? undefined : parseJson(typed), value);
  return (
    <TextField
      label={label}
      {...(hint === undefined ? {} : { hint })}
      rows={rows}
      isCode
      value={invalidText ?? (isSame ? typed : formatted)}
      error={invalidText === undefined ? undefined : errorFor(invalidText)}
      onChange={(text) => {
        setTyped(text);
        const parsed = parseJson(text);
        const isEmpty = text.trim() === "";
        const isValid = isEmpty || (isObjectOnly ? isObject(parsed) : parsed !== undefined);
        store.setText(path, isValid ? undefined : text);
        if (isValid) onChange(parsed);
      }}
    />
  );
}

function errorFor(text: string): string {
  return parseJson(text) === undefined ? messages.invalidJson : messages.objectRequired;
}
