import type { CreatedCredential, CredentialOwner } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { ConnectDialog } from "../../credentials/connect-dialog.tsx";
import { CredentialDialog } from "../../credentials/credential-dialog.tsx";

/** The dialogs that add a credential of the draft, filled in with what the draft requests. */
export function AddCredential({
  name,
  hosts,
  resource,
  owner = "user",
  onAdded,
  onClose,
}: {
  name: string;
  hosts: readonly string[];
  /** The MCP server at which users sign in to get it; empty for none. */
  resource: string;
  owner?: CredentialOwner;
  /** Called once it can be used. */
  onAdded?: () => void;
  onClose: () => void;
}): ReactNode {
  const [saved, setSaved] = useState<CreatedCredential>();
  if (saved !== undefined) return <ConnectDialog credential={saved} onClose={onClose} />;
  return (
    <CredentialDialog
      start={{
        name,
        owner,
        hosts: hosts.join("\n"),
        ...(resource === "" ? {} : ({ kind: "server", resource } as const)),
      }}
      onClose={onClose}
      onSaved={(created) => {
        if (created.connectUrl !== undefined) return setSaved(created);
        onAdded?.();
        return onClose();
      }}
    />
  );
}
