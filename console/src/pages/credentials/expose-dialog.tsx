import { useQueryClient } from "@tanstack/react-query";
import type { Credential } from "@toolhost/contract";
import type { ReactNode } from "react";
import { send } from "#api/client";
import { ConfirmDialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { exposeWarning } from "./expose-warning.ts";

/** Asks before code of tools may read a credential's value, and before that ends. */
export function ExposeDialog({
  credential: { name, owner, exposable },
  onClose,
}: {
  credential: Credential;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const change = async () => {
    await send("PUT", `/credentials/${name}`, {
      query: { owner },
      body: { exposable: !exposable },
    });
    await client.invalidateQueries({ queryKey: ["credentials"] });
    showToast(exposable ? `${name} is hidden from code` : `Code may read ${name}`);
  };
  return (
    <ConfirmDialog
      title={exposable ? `Hide ${name} from code?` : `Let code read ${name}?`}
      cancel="Cancel"
      action={exposable ? "Hide value" : "Allow"}
      isOpen
      onClose={onClose}
      onConfirm={change}
    >
      {exposable ? "Tools that ask to see the value fail from their next run on." : exposeWarning}
    </ConfirmDialog>
  );
}
