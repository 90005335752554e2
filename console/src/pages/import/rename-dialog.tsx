import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.rename;

/** Gives an import a title of the user's own. */
export function RenameDialog({
  shown: { id, title },
  onClose,
}: {
  shown: ImportResource;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [typed, setTyped] = useState(title);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.send("PATCH /imports/{id}", { params: { id }, body: { title: typed.trim() } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["imports"] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={messages.title}
      action={messages.action}
      isOpen
      onClose={onClose}
      onSubmit={mutate}
      isPending={isPending}
      error={error}
    >
      <TextField label={messages.name} isRequired value={typed} onChange={setTyped} />
    </FormDialog>
  );
}
