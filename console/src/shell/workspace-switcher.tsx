import { useNavigate } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { setCurrentWorkspace } from "#api/current-workspace";
import { SelectField } from "#components/select-field";
import { roleLabel } from "#lib/role-label";
import { messages } from "./messages.ts";

/** The choice that creates a workspace; not a workspace ID. */
const createChoice = "create";

/** Switches between workspaces. */
export function WorkspaceSwitcher({ me }: { me: Me }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <SelectField
      label={messages.workspaces.label}
      isLabelHidden
      choices={[
        ...me.workspaces.map(({ id, name, role }) => ({ id, label: name, hint: roleLabel(role) })),
        { id: createChoice, label: messages.workspaces.create },
      ]}
      value={me.workspace.id}
      onChange={(id) => {
        if (id === createChoice) {
          void navigate({ to: "/settings", search: { create: "workspace" } });
          return;
        }
        setCurrentWorkspace(id);
        void navigate({ to: "/" });
        // Data of one workspace must not show in another.
        void client.resetQueries();
      }}
    />
  );
}
