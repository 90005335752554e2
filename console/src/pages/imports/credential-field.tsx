import { useQuery } from "@tanstack/react-query";
import type { CreatedCredential, Credential } from "@toolhost/contract";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { allItemsQuery } from "#api/queries";
import { Button } from "#components/button";
import { SelectField } from "#components/select-field";
import { isHostAllowed } from "#lib/allowed-hosts";
import { ConnectDialog } from "../credentials/connect-dialog.tsx";
import { CredentialDialog } from "../credentials/credential-dialog.tsx";
import type { CredentialForm } from "../credentials/credential-form.ts";
import { messages } from "./messages-credential.ts";

const none = "";

type Props = {
  label: string;
  /** The name of the credential; null for none. */
  value: string | null;
  onChange: (name: string | null) => void;
  /** The host that it is sent to; undefined while that is unknown. */
  host: string | undefined;
  /** A name that tools use even if no such credential exists yet. */
  suggested?: string | undefined;
  /** Whether another field above has the same credential, with what is to say of it. */
  isShownBefore?: boolean;
  /** Whether there may be no credential. */
  isOptional?: boolean;
  /** What a new credential starts with. */
  start: Partial<CredentialForm>;
};

/** Chooses a credential, and says where it is sent and whether it may be sent there. */
export function CredentialField(props: Props): ReactNode {
  const { label, value, onChange, host, suggested, start } = props;
  const { isOptional = false, isShownBefore = false } = props;
  const [dialog, setDialog] = useState<"create" | CreatedCredential>();
  const { byName } = useCredentials();
  // A credential that may not be sent to the host is no choice.
  const usable = [...byName.values()]
    .filter(({ hosts }) => host === undefined || isHostAllowed(hosts, host))
    .map(({ name }) => name);
  const others = [value, suggested].filter((name) => name !== null && name !== undefined);
  const names = [...new Set([...usable, ...others])];
  const chosen = value === null ? undefined : byName.get(value);
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <div className="flex flex-wrap items-start gap-2">
        <SelectField
          label={label}
          className="min-w-0 flex-1 basis-64"
          value={value ?? none}
          choices={[
            ...(isOptional ? [{ id: none, label: messages.none }] : []),
            ...names.map((name) => ({
              id: name,
              label: name,
              hint: byName.get(name)?.hosts.join(", ") ?? messages.missingHint,
            })),
          ]}
          onChange={(name) => onChange(name === none ? null : name)}
        />
        {(value !== null && chosen !== undefined) || isShownBefore ? null : (
          // Below the label, beside the select.
          <Button className="sm:mt-[1.5625rem]" onPress={() => setDialog("create")}>
            <Plus size={16} aria-hidden />
            {messages.create}
          </Button>
        )}
      </div>
      {value === null || isShownBefore ? null : <CredentialStatement name={value} host={host} />}
      {dialog === "create" ? (
        <CredentialDialog
          start={value === null ? start : { ...start, name: value }}
          onClose={() => setDialog(undefined)}
          onSaved={(saved) => {
            onChange(saved.name);
            setDialog(saved.connectUrl === undefined ? undefined : saved);
          }}
        />
      ) : null}
      {typeof dialog === "object" ? (
        <ConnectDialog credential={dialog} onClose={() => setDialog(undefined)} />
      ) : null}
    </div>
  );
}

/** The credentials that the user's runs use: their own before the workspace's. */
function useCredentials() {
  const { data: all = [], isPending } = useQuery(allItemsQuery("/credentials"));
  const byName = new Map<string, Credential>();
  for (const one of all) {
    if (one.owner === "user" || !byName.has(one.name)) byName.set(one.name, one);
  }
  return { byName, isPending };
}

/** Says where a credential is sent, and whether it exists and may be sent there. */
export function CredentialStatement({
  name,
  host,
}: {
  name: string;
  host: string | undefined;
}): ReactNode {
  const { byName, isPending } = useCredentials();
  const credential = byName.get(name);
  if (host === undefined || isPending) return null;
  if (credential !== undefined && !isHostAllowed(credential.hosts, host)) {
    return (
      <p
        role="status"
        className="rounded-lg bg-warn-soft px-3 py-2 text-sm wrap-anywhere text-warn"
      >
        {messages.notAllowed(name, host, credential.hosts)}
      </p>
    );
  }
  return (
    <p className="text-sm wrap-anywhere text-soft">
      <code className="font-mono text-xs">{name}</code> {messages.sentTo}{" "}
      <strong className="font-medium text-text">{host}</strong> {messages.nowhereElse}
      {credential === undefined ? ` ${messages.missing}` : null}
      {credential !== undefined && credential.status !== "ready"
        ? ` ${messages.notConnected}`
        : null}
    </p>
  );
}
