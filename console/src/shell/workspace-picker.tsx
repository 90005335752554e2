import { useNavigate } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import type { Me } from "@toolhost/contract";
import type { ReactNode } from "react";
import { rememberWorkspace } from "#api/current-workspace";
import { SelectField } from "#components/fields";

/** In which workspace the person works, and how to go to another. */
export function WorkspacePicker({ me }: { me: Me }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <SelectField
      label="Workspace"
      isLabelHidden
      choices={me.workspaces.map(({ id, name, role }) => ({ id, label: name, hint: role }))}
      value={me.workspace.id}
      onChange={(id) => {
        rememberWorkspace(id);
        // Nothing of one workspace is shown in another.
        client.clear();
        void navigate({ to: "/" });
      }}
    />
  );
}
