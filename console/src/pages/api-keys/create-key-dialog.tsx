import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CreatedApiKey, Scope } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { fieldError, hasFieldError } from "#api/field-errors";
import { Button } from "#components/button";
import { CodeBlock } from "#components/copy";
import { Dialog } from "#components/dialog";
import { TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { FormDialog } from "#components/form-dialog";
import { OneTimeSecret } from "#components/one-time-secret";
import { expiresAt, expirations, expirationText } from "./expiration.ts";
import type { Expiration } from "./expiration.ts";
import { ScopeChoice } from "./scope-choice.tsx";
import { exampleCommand } from "./example-command.ts";
import { messages } from "./messages.ts";

const text = messages.form;

/** Creates an API key and shows it once. `allowed` are the scopes of the user's role. */
export function CreateKeyDialog({
  allowed,
  onClose,
}: {
  allowed: readonly Scope[];
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [expiration, setExpiration] = useState<Expiration>("90");
  const [openedAt] = useState(() => new Date());
  const [scopes, setScopes] = useState<readonly Scope[]>(() =>
    allowed.filter((scope) => scope === "mcp:read" || scope === "mcp:execute"),
  );
  const {
    mutate,
    isPending,
    error,
    data: created,
  } = useMutation({
    mutationFn: () =>
      api.send("POST /api-keys", {
        body: { name, scopes: [...scopes], expiresAt: expiresAt(expiration, openedAt) },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["api-keys"] }),
  });
  if (created !== undefined) return <CreatedKey created={created} onClose={onClose} />;
  return (
    <FormDialog
      title={text.title}
      action={text.action}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasFieldError(error, ["/name", "/scopes"]) ? null : error}
      onSubmit={mutate}
    >
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={name}
        onChange={setName}
        maxLength={80}
        isRequired
        placeholder={text.namePlaceholder}
        error={fieldError(error, "/name")}
      />
      <ScopeChoice
        allowed={allowed}
        chosen={scopes}
        onChange={setScopes}
        error={fieldError(error, "/scopes")}
      />
      <SelectField
        label={text.expiration}
        choices={expirations}
        value={expiration}
        onChange={setExpiration}
      />
      <p className="text-sm text-soft">{expirationText(expiresAt(expiration, openedAt))}</p>
    </FormDialog>
  );
}

function CreatedKey({
  created,
  onClose,
}: {
  created: CreatedApiKey;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog
      title={messages.created.title(created.name)}
      isOpen
      onClose={onClose}
      isWide
      holds="secret"
    >
      <OneTimeSecret label={messages.created.key} secret={created.key} />
      <p className="text-sm text-soft">{expirationText(created.expiresAt)}</p>
      <CodeBlock
        label={messages.created.example}
        code={exampleCommand(created, location.origin)}
        isWrapped
      />
      <div className="flex justify-end">
        <Button look="primary" onPress={onClose}>
          {messages.created.done}
        </Button>
      </div>
    </Dialog>
  );
}
