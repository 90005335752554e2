import type { ReactNode } from "react";
import { useState } from "react";
import { TextField } from "./fields.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { messages } from "./messages-table.ts";

/** Names the filters as a view, and saves it. */
export default function SaveViewDialog({
  isPending,
  onSave,
  onClose,
}: {
  isPending: boolean;
  onSave: (name: string) => void;
  onClose: () => void;
}): ReactNode {
  const [name, setName] = useState("");
  return (
    <FormDialog
      title={messages.saveView}
      action={messages.save}
      isOpen
      onClose={onClose}
      onSubmit={() => {
        if (name.trim() !== "") onSave(name.trim());
      }}
      isPending={isPending}
    >
      <TextField
        label={messages.viewName}
        value={name}
        onChange={setName}
        maxLength={60}
        isRequired
      />
    </FormDialog>
  );
}
