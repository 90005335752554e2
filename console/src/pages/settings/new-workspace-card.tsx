import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { setCurrentWorkspace } from "#api/current-workspace";
import { fieldError, hasFieldError } from "#api/field-errors";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";

const route = getRouteApi("/settings");

/** Creates a workspace. The address opens the dialog, because the workspace switcher links to it. */
export function NewWorkspaceCard(): ReactNode {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const setOpen = (isOpen: boolean) =>
    void navigate({ search: { create: isOpen ? "workspace" : undefined } });
  return (
    <Card
      title={messages.newWorkspace.title}
      actions={<Button onPress={() => setOpen(true)}>{messages.newWorkspace.action}</Button>}
    >
      <p className="text-soft">{messages.newWorkspace.lead}</p>
      {create === "workspace" ? <NewWorkspaceDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function NewWorkspaceDialog({ onClose }: { onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.send("POST /workspaces", { body: { name: name.trim() } }),
    onSuccess: async ({ id, name: created }) => {
      setCurrentWorkspace(id);
      await navigate({ to: "/" });
      // Data of one workspace must not show in another.
      await client.resetQueries();
      showToast(messages.newWorkspace.created(created));
    },
  });
  return (
    <FormDialog
      title={messages.newWorkspace.title}
      action={messages.newWorkspace.action}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasFieldError(error, ["/name"]) ? null : error}
      onSubmit={mutate}
    >
      <TextField
        label={messages.newWorkspace.name}
        isRequired
        maxLength={80}
        value={name}
        onChange={setName}
        placeholder={messages.newWorkspace.namePlaceholder}
        error={fieldError(error, "/name")}
      />
    </FormDialog>
  );
}
