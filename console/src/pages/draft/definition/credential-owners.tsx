import { useQuery } from "@tanstack/react-query";
import type { Credential, CredentialOwner } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { meQuery } from "#api/queries";
import { Badge } from "#components/badges";
import { Button } from "#components/button";
import { deniedHosts } from "#lib/allowed-hosts";
import { AddCredential } from "./add-credential.tsx";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.credentials;

type Props = {
  /** The credentials that the user can see; undefined for users without access to credentials. */
  known: readonly Credential[] | undefined;
  name: string;
  /** The hosts that the tool sends it to. */
  hosts: readonly string[];
  /** The MCP server at which users sign in to get it; empty for none. */
  resource: string;
};

/** Who has the credential, whether it may be sent to the tool's hosts, and a dialog that adds it. */
export function CredentialOwners({ known, name, hosts, resource }: Props): ReactNode {
  const { data: me } = useQuery(meQuery);
  const [adding, setAdding] = useState<CredentialOwner>();
  if (known === undefined) return <span />;
  const found = known.filter((one) => one.name === name);
  const isPersonal = found.length > 0 && found.every(({ owner }) => owner === "user");
  const mayShare = mayDo(me?.workspace.role ?? "", "credentials:share");
  return (
    <div className="grid gap-1.5 text-sm">
      {found.length === 0 ? (
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone="warn">{messages.notAdded}</Badge>
          <Button onPress={() => setAdding("user")}>
            <Plus size={16} aria-hidden />
            {messages.addValue}
          </Button>
        </span>
      ) : null}
      {found.map((one) => (
        <Owner key={one.id} credential={one} hosts={hosts} />
      ))}
      {isPersonal && mayShare && resource === "" ? (
        <Button className="justify-self-start" onPress={() => setAdding("workspace")}>
          <Plus size={16} aria-hidden />
          {messages.addForWorkspace}
        </Button>
      ) : null}
      {adding === undefined ? null : (
        <AddCredential
          {...{ name, hosts, resource }}
          owner={adding}
          onClose={() => setAdding(undefined)}
        />
      )}
    </div>
  );
}

function Owner({
  credential: { owner, hosts: allowed },
  hosts,
}: {
  credential: Credential;
  hosts: readonly string[];
}): ReactNode {
  const denied = deniedHosts(allowed, hosts);
  if (denied.length === 0) {
    return (
      <span>
        <Badge tone="good">{messages.owners[owner]}</Badge>
      </span>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone="warn">{messages.ownersElsewhere[owner]}</Badge>
      <span className="wrap-anywhere text-soft">{messages.notSentTo(denied)}</span>
    </span>
  );
}
