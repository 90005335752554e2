import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { hostToAllow } from "#lib/allowed-hosts";
import { CredentialStatement } from "../imports/credential-field.tsx";
import { itemMessages } from "./messages.ts";

/** Where tools of an MCP server send their requests, and with which credential. */
export function ServerStatement({
  shown: { url, credential },
}: {
  shown: ImportResource;
}): ReactNode {
  const host = url === null ? undefined : hostToAllow(url);
  return (
    <>
      <p className="text-sm wrap-anywhere text-soft">
        {itemMessages.create.mcpServer} <code className="font-mono text-xs text-text">{url}</code>
      </p>
      {credential === null ? null : <CredentialStatement name={credential} host={host} />}
    </>
  );
}
