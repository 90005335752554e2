import type { ReactNode } from "react";
import { useState } from "react";
import { TextField } from "#components/fields";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.fields;

/** Edits the name of a field. An empty or taken name shows an error and is not applied. */
export function NameField({
  name,
  isTaken,
  onRename,
}: {
  name: string;
  isTaken: (name: string) => boolean;
  onRename: (name: string) => void;
}): ReactNode {
  const [typed, setTyped] = useState<string>();
  const isInvalid = typed !== undefined && (typed === "" || (typed !== name && isTaken(typed)));
  return (
    <TextField
      label={messages.name}
      isCode
      className="min-w-36 flex-1"
      value={isInvalid ? typed : name}
      error={
        isInvalid ? (typed === "" ? messages.nameRequired : messages.nameTaken(typed)) : undefined
      }
      onChange={(next) => {
        setTyped(next);
        if (next !== "" && (next === name || !isTaken(next))) onRename(next);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
