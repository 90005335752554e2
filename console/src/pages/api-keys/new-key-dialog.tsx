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
import { expiresAt, expiries, expiryText } from "./expiry.ts";
import type { Expiry } from "./expiry.ts";
import { ScopeChoice } from "./scope-choice.tsx";
import { exampleCommand } from "./example-command.ts";

/** Makes a key, and shows it once. `allowed` is what the person's role lets a key do at most. */
export function NewKeyDialog({
  allowed,
  onClose,
}: {
  allowed: readonly Scope[];
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [expiry, setExpiry] = useState<Expiry>("90");
  const [begun] = useState(() => new Date());
  const [scopes, setScopes] = useState<readonly Scope[]>(() =>
    allowed.filter((scope) => scope === "mcp:read" || scope === "mcp:execute"),
  );
  const {
    mutate,
    isPending,
    error,
    data: made,
  } = useMutation({
    mutationFn: () =>
      api.send("POST /api-keys", {
        body: { name, scopes: [...scopes], expiresAt: expiresAt(expiry, new Date()) },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["api-keys"] }),
  });
  if (made !== undefined) return <MadeKey made={made} onClose={onClose} />;
  return (
    <FormDialog
      title="New API key"
      action="Make the key"
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasFieldError(error, ["/name", "/scopes"]) ? null : error}
      onSubmit={mutate}
    >
      <TextField
        label="Name"
        hint="What it is for, so that you know it again."
        value={name}
        onChange={setName}
        maxLength={80}
        isRequired
        placeholder="Nightly report"
        error={fieldError(error, "/name")}
      />
      <ScopeChoice
        allowed={allowed}
        chosen={scopes}
        onChange={setScopes}
        error={fieldError(error, "/scopes")}
      />
      <SelectField label="Holds for" choices={expiries} value={expiry} onChange={setExpiry} />
      <p className="text-sm text-soft">{expiryText(expiresAt(expiry, begun))}</p>
    </FormDialog>
  );
}

function MadeKey({ made, onClose }: { made: CreatedApiKey; onClose: () => void }): ReactNode {
  return (
    <Dialog title={`The key ${made.name}`} isOpen onClose={onClose} isWide holds="secret">
      <OneTimeSecret label="API key" secret={made.key} />
      <p className="text-sm text-soft">{expiryText(made.expiresAt)}</p>
      <CodeBlock
        label="Try it in a terminal"
        code={exampleCommand(made, location.origin)}
        isWrapped
      />
      <div className="flex justify-end">
        <Button look="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}
