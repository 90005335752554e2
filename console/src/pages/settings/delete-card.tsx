import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { Card } from "#components/page";
import { messages } from "./messages.ts";

const text = messages.deleteWorkspace;

type Props = { workspaceId: string; name: string };

/** Deletes the workspace. */
export function DeleteCard(props: Props): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={text.title}
      actions={
        <Button look="danger" onPress={() => setOpen(true)}>
          {text.action}
        </Button>
      }
    >
      <p className="text-soft">{text.lead}</p>
      {isOpen ? <DeleteDialog {...props} onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function DeleteDialog({ workspaceId, name, onClose }: Props & { onClose: () => void }): ReactNode {
  const [typed, setTyped] = useState("");
  const [isSubmitted, setSubmitted] = useState(false);
  const isSame = typed.trim() === name;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.send("DELETE /workspaces/{id}", { params: { id: workspaceId }, body: { name } }),
    onSuccess: () => {
      // A full page load drops everything cached from the workspace.
      location.assign("/");
    },
  });
  return (
    <FormDialog
      title={text.confirmTitle(name)}
      action={text.action}
      isDangerous
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={() => {
        setSubmitted(true);
        if (isSame) mutate();
      }}
    >
      <p className="text-sm">{text.warning}</p>
      <TextField
        label={text.confirmLabel(name)}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        error={isSubmitted && !isSame ? text.mismatch : undefined}
      />
    </FormDialog>
  );
}
