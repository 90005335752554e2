import { useQueryClient } from "@tanstack/react-query";
import type { Workspace } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { NameCard } from "#components/name-card";

type WorkspaceNameProps = { workspaceId: string; name: string };

/** What the workspace is called. */
export function WorkspaceName({ workspaceId, name }: WorkspaceNameProps): ReactNode {
  const client = useQueryClient();
  return (
    <NameCard
      name={name}
      label="Name of the workspace"
      action="Rename"
      onSave={async (changed) => {
        const body = { name: changed };
        const renamed = await send<Workspace>("PATCH", `/workspaces/${workspaceId}`, { body });
        await client.invalidateQueries({ queryKey: ["me"] });
        return `It is called ${renamed.name} now`;
      }}
    />
  );
}
