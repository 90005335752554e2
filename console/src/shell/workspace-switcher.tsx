import { useNavigate } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { setCurrentWorkspace } from "#api/current-workspace";
import { SelectField } from "#components/select-field";

/** No id of a workspace: the choice that makes one. */
const another = "another";

/** In which workspace the person works, and how to go to another. */
export function WorkspaceSwitcher({ me }: { me: Me }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <SelectField
      label="Workspace"
      isLabelHidden
      choices={[
        ...me.workspaces.map(({ id, name, role }) => ({ id, label: name, hint: role })),
        { id: another, label: "Make a workspace…" },
      ]}
      value={me.workspace.id}
      onChange={(id) => {
        if (id === another) {
          void navigate({ to: "/settings", search: { make: "workspace" } });
          return;
        }
        setCurrentWorkspace(id);
        void navigate({ to: "/" });
        // Nothing of one workspace is shown in another.
        void client.resetQueries();
      }}
    />
  );
}
