import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Workspace } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { send } from "#api/client";
import { errorAt } from "#api/field-errors";
import { wordsOf } from "#api/problem";
import { Button } from "#components/button";
import { TextField } from "#components/fields";
import { Card } from "#components/page";
import { showToast } from "#components/toasts";

/** What the workspace is called. */
export function NameCard({ workspaceId, name }: { workspaceId: string; name: string }): ReactNode {
  const client = useQueryClient();
  const [text, setText] = useState(name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      send<Workspace>("PATCH", `/workspaces/${workspaceId}`, { body: { name: text.trim() } }),
    onSuccess: async (renamed) => {
      await client.invalidateQueries({ queryKey: ["me"] });
      showToast(`It is called ${renamed.name} now`);
    },
    onError: (failure) => showToast(wordsOf(failure), "bad"),
  });
  return (
    <Card title="Name">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) mutate();
        }}
      >
        <TextField
          label="Name of the workspace"
          className="w-full max-w-sm"
          maxLength={80}
          value={text}
          onChange={setText}
          error={errorAt(error, "/name")}
        />
        <Button
          type="submit"
          isPending={isPending}
          isDisabled={text.trim() === "" || text.trim() === name}
        >
          Rename
        </Button>
      </form>
    </Card>
  );
}
