import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { setCurrentWorkspace } from "#api/current-workspace";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { Card } from "#components/page";
import { signOut } from "./sign-out.ts";

/** For whoever is signed in and belongs to no workspace, as after the last one was left or deleted. */
export function NoWorkspace(): ReactNode {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.send("POST /workspaces", { body: { name: name.trim() } }),
    onSuccess: ({ id }) => {
      setCurrentWorkspace(id);
      return client.resetQueries();
    },
  });
  return (
    <div className="mx-auto grid w-full max-w-lg gap-5 px-4 py-10">
      <h1 className="text-xl font-semibold tracking-tight">You belong to no workspace</h1>
      <Card title="Make one">
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isPending) mutate();
          }}
        >
          <TextField
            label="Name of the workspace"
            isRequired
            maxLength={80}
            value={name}
            onChange={setName}
            error={error === null ? undefined : errorMessage(error)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" isPending={isPending}>
              Make a workspace
            </Button>
            <Button onPress={signOut}>Sign out</Button>
          </div>
        </form>
      </Card>
      <p className="text-soft">
        If somebody invited you, open the link of the invitation, and you are in theirs.
      </p>
    </div>
  );
}
