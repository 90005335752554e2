import { useQueryClient } from "@tanstack/react-query";
import type { Credential } from "@toolhost/contract";
import type { ReactNode } from "react";
import { api } from "#api/client";
import { ConfirmDialog } from "#components/dialog";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";

const text = messages.expose;

/** Confirms before the code of tools can read a credential's value, and before that access ends. */
export function ExposeDialog({
  credential: { name, owner, exposable },
  onClose,
}: {
  credential: Credential;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const change = async () => {
    await api.send("PUT /credentials/{name}", {
      params: { name },
      query: { owner },
      body: { exposable: !exposable },
    });
    await client.invalidateQueries({ queryKey: ["credentials"] });
    showToast(exposable ? text.hidden(name) : text.exposed(name));
  };
  return (
    <ConfirmDialog
      title={exposable ? text.hideTitle(name) : text.exposeTitle(name)}

      action={exposable ? text.hideAction : text.exposeAction}
      isOpen
      onClose={onClose}
      onConfirm={change}
    >
      {exposable ? text.hideWarning : text.exposeWarning}
    </ConfirmDialog>
  );
}
