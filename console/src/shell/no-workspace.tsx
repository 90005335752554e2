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
import { messages } from "./messages.ts";

const text = messages.noWorkspace;

/** Shown to a signed-in user without a workspace, for example after they left the last one. */
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
      <h1 className="text-xl font-semibold tracking-tight">{text.title}</h1>
      <Card title={text.cardTitle}>
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isPending) mutate();
          }}
        >
          <TextField
            label={text.name}
            isRequired
            maxLength={80}
            value={name}
            onChange={setName}
            error={error === null ? undefined : errorMessage(error)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" look="primary" isPending={isPending}>
              {text.create}
            </Button>
            <Button onPress={signOut}>{text.signOut}</Button>
          </div>
        </form>
      </Card>
      <p className="text-soft">{text.invitationHint}</p>
    </div>
  );
}
