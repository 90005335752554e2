import type { ReactNode } from "react";
import { useState } from "react";
import { TextField } from "#components/fields";

/** A field's name. One that is empty or taken is said to be so, and counts when it is right. */
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
  const wrong = typed !== undefined && (typed === "" || (typed !== name && isTaken(typed)));
  return (
    <TextField
      label="Name"
      isCode
      className="min-w-36 flex-1"
      value={wrong ? typed : name}
      error={
        wrong ? (typed === "" ? "Give it a name." : `There is a ${typed} already.`) : undefined
      }
      onChange={(next) => {
        setTyped(next);
        if (next !== "" && (next === name || !isTaken(next))) onRename(next);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
