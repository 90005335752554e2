import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CreatedCredential, Credential } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { fieldError } from "#api/field-errors";
import { ApiProblem } from "#api/problem";
import { meQuery } from "#api/queries";
import { Checkbox, TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { FormDialog } from "#components/form-dialog";
import { showToast } from "#components/toasts";
import { ConnectionFields } from "./connection-fields.tsx";

import { createInput, emptyForm, replaceInput } from "./credential-form.ts";
import type { CredentialForm } from "./credential-form.ts";
import { messages } from "./messages.ts";
import { ServerFields } from "./server-fields.tsx";

const text = messages.form;

type Props = {
  /** Initial values, such as the name of a required credential. */
  start?: Partial<CredentialForm>;
  /** The credential whose value is replaced. */
  replaced?: Credential;
  onClose: () => void;
  /** Receives the saved credential. A connection may still need the user's consent. */
  onSaved: (credential: CreatedCredential) => void;
};

/** Adds a credential, or replaces the value of one. */
export function CredentialDialog({ start, replaced, onClose, onSaved }: Props): ReactNode {
  const client = useQueryClient();
  const [form, setForm] = useState<CredentialForm>({ ...emptyForm, ...start });
  const change = (part: Partial<CredentialForm>) => setForm((now) => ({ ...now, ...part }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      replaced === undefined
        ? api.send("POST /credentials", { body: createInput(form) })
        : api.send("PUT /credentials/{name}", {
            params: { name: replaced.name },
            query: { owner: replaced.owner },
            body: replaceInput(form),
          }),
    onSuccess: (saved) => {
      showToast(replaced === undefined ? text.created(saved.name) : text.replaced(saved.name));
      onSaved(saved);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["credentials"] }),
  });
  const isAtField = error instanceof ApiProblem && error.errors.length > 0;
  return (
    <FormDialog
      title={replaced === undefined ? text.createTitle : text.replaceTitle(replaced.name)}
      action={replaced === undefined ? text.createAction : text.replaceAction}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={isAtField ? null : error}
      onSubmit={mutate}
    >
      {replaced === undefined ? (
        <NameFields form={form} change={change} error={error} />
      ) : (
        <p className="text-sm text-soft">{text.replaceHint}</p>
      )}
      <SecretFields form={form} change={change} error={error} />
      {form.kind === "server" ? null : (
        <TextField
          label={text.hosts}
          hint={text.hostsHint}
          rows={2}
          isCode
          isRequired
          value={form.hosts}
          onChange={(hosts) => change({ hosts })}
          error={fieldError(error, "/hosts")}
        />
      )}
      <Checkbox
        hint={text.exposableHint}
        isSelected={form.exposable}
        onChange={(exposable) => change({ exposable })}
      >
        {text.exposable}
      </Checkbox>
    </FormDialog>
  );
}

type FieldsProps = {
  form: CredentialForm;
  change: (part: Partial<CredentialForm>) => void;
  error: unknown;
};

function SecretFields({ form, change, error }: FieldsProps): ReactNode {
  if (form.kind === "server") return <ServerFields form={form} change={change} error={error} />;
  if (form.kind === "oauth2") return <ConnectionFields form={form} change={change} error={error} />;
  return (
    <TextField
      label={text.value}
      hint={text.valueHint}
      rows={3}
      isCode
      autoComplete="off"
      spellCheck="false"
      isRequired
      value={form.value}
      onChange={(value) => change({ value })}
      error={fieldError(error, "/value")}
    />
  );
}

function NameFields({ form, change, error }: FieldsProps): ReactNode {
  const { data: me } = useQuery(meQuery);
  return (
    <>
      <TextField
        label={text.name}
        hint={text.nameHint}
        placeholder={text.namePlaceholder}
        isCode
        isRequired
        spellCheck="false"
        value={form.name}
        onChange={(name) => change({ name: name.toUpperCase().replace(/[^A-Z0-9_]/g, "_") })}
        error={fieldError(error, "/name")}
      />
      {mayDo(me?.workspace.role ?? "", "credentials:share") ? (
        <SelectField
          label={text.owner}
          choices={[
            { id: "user", ...text.owners.user },
            { id: "workspace", ...text.owners.workspace },
          ]}
          value={form.owner}
          onChange={(owner) => change({ owner })}
        />
      ) : null}
      <SelectField
        label={text.kind}
        choices={[
          { id: "value", ...text.kinds.value },
          { id: "server", ...text.kinds.server },
          { id: "oauth2", ...text.kinds.oauth2 },
        ]}
        value={form.kind}
        onChange={(kind) => change({ kind })}
      />
    </>
  );
}
