import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { NameCard } from "#components/name-card";
import { messages } from "./messages.ts";

type WorkspaceNameProps = { workspaceId: string; name: string };

/** Renames the workspace. */

export function WorkspaceName({ workspaceId, name }: WorkspaceNameProps): ReactNode {
  const client = useQueryClient();
  return (
    <NameCard
      name={name}
      label={messages.workspaceName.label}
      action={messages.workspaceName.action}
      onSave={async (changed) => {
        const body = { name: changed };
        const renamed = await api.send("PATCH /workspaces/{id}", {
          params: { id: workspaceId },
          body,
        });
        await client.invalidateQueries({ queryKey: ["me"] });
        return messages.workspaceName.renamed(renamed.name);
      }}
    />
  );
}
