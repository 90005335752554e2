import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { Workspace } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { send } from "#api/client";
import { setCurrentWorkspace } from "#api/current-workspace";
import { fieldError, hasFieldError } from "#api/field-errors";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";

const route = getRouteApi("/settings");

/** Another workspace. Its dialog stands in the address, for the workspace picker leads to it. */
export function NewWorkspaceCard(): ReactNode {
  const { make } = route.useSearch();
  const navigate = route.useNavigate();
  const setOpen = (isOpen: boolean) =>
    void navigate({ search: { make: isOpen ? "workspace" : undefined } });
  return (
    <Card
      title="Another workspace"
      actions={<Button onPress={() => setOpen(true)}>Make a workspace</Button>}
    >
      <p className="text-soft">
        A workspace has its own tools, runs, credentials and members. You own those that you make.
      </p>
      {make === "workspace" ? <NewWorkspaceDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}

function NewWorkspaceDialog({ onClose }: { onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send<Workspace>("POST", "/workspaces", { body: { name: name.trim() } }),
    onSuccess: async (made) => {
      setCurrentWorkspace(made.id);
      await navigate({ to: "/" });
      // Nothing of one workspace is shown in another.
      await client.resetQueries();
      showToast(`You are in ${made.name} now`);
    },
  });
  return (
    <FormDialog
      title="Make a workspace"
      action="Make it"
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasFieldError(error, ["/name"]) ? null : error}
      onSubmit={mutate}
    >
      <TextField
        label="Name"
        isRequired
        maxLength={80}
        value={name}
        onChange={setName}
        placeholder="Research"
        error={fieldError(error, "/name")}
      />
    </FormDialog>
  );
}
