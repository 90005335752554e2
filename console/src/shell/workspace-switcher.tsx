import { useNavigate } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import { ChevronsUpDown, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { setCurrentWorkspace } from "#api/current-workspace";
import { Button } from "#components/button";
import { Menu } from "#components/menu";
import { roleLabel } from "#lib/role-label";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

/** Switches between workspaces. */
export function WorkspaceSwitcher({ me }: { me: Me }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const open = (id: string) => {
    setCurrentWorkspace(id);
    void navigate({ to: "/" });
    // Data of one workspace must not show in another.
    void client.resetQueries();
  };
  return (
    <Menu
      label={messages.workspaces.label}
      placement="bottom start"
      selectedId={me.workspace.id}
      trigger={
        <Button className="w-full justify-start!">
          <span className="min-w-0 flex-1 truncate text-left">
            <Name>{me.workspace.name}</Name>
          </span>
          <span className="sr-only">{messages.workspaces.label}</span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-soft" />
        </Button>
      }
      entries={[
        ...me.workspaces.map(({ id, name, role }) => ({
          id,
          label: name,
          hint: roleLabel(role),
          onAction: () => open(id),
        })),
        {
          id: "create",
          label: messages.workspaces.create,
          icon: <Plus size={14} aria-hidden />,
          onAction: () => void navigate({ to: "/settings", search: { create: "workspace" } }),
        },
      ]}
    />
  );
}
