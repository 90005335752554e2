import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { CreatedCredential, Credential } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import type { ReactNode } from "react";
import { useState } from "react";
import { send } from "#api/client";
import { fieldError } from "#api/field-errors";
import { ApiProblem } from "#api/problem";
import { meQuery } from "#api/queries";
import { Checkbox, TextField } from "#components/fields";
import { SelectField } from "#components/select-field";
import { FormDialog } from "#components/form-dialog";
import { showToast } from "#components/toasts";
import { ConnectionFields } from "./connection-fields.tsx";
import { exposeWarning } from "./expose-warning.ts";
import { createInput, emptyForm, replaceInput } from "./credential-form.ts";
import type { CredentialForm } from "./credential-form.ts";

type Props = {
  /** What stands in it at first, as for a name that tools ask for. */
  start?: Partial<CredentialForm>;
  /** The credential whose value is replaced. */
  replaced?: Credential;
  onClose: () => void;
  /** Told of what was kept; a connection may have to be agreed to first. */
  onKept: (credential: CreatedCredential) => void;
};

/** Keeps a credential, or gives one another value if told so. What was typed leaves the page with the dialog. */
export function CredentialDialog({ start, replaced, onClose, onKept }: Props): ReactNode {
  const client = useQueryClient();
  const [form, setForm] = useState<CredentialForm>({ ...emptyForm, ...start });
  const change = (part: Partial<CredentialForm>) => setForm((now) => ({ ...now, ...part }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      replaced === undefined
        ? send<CreatedCredential>("POST", "/credentials", { body: createInput(form) })
        : send<CreatedCredential>("PUT", `/credentials/${replaced.name}`, {
            query: { owner: replaced.owner },
            body: replaceInput(form),
          }),
    onSuccess: (kept) => {
      showToast(replaced === undefined ? `${kept.name} is kept` : `${kept.name} is replaced`);
      onKept(kept);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["credentials"] }),
  });
  const hasPlaces = error instanceof ApiProblem && error.errors.length > 0;
  return (
    <FormDialog
      title={replaced === undefined ? "New credential" : `Replace ${replaced.name}`}
      action={replaced === undefined ? "Keep it" : "Replace"}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasPlaces ? null : error}
      onSubmit={mutate}
    >
      {replaced === undefined ? (
        <NameFields form={form} change={change} error={error} />
      ) : (
        <p className="text-sm text-soft">
          Runs that begin from now on get the new value. Those at work keep the old one.
        </p>
      )}
      {form.kind === "value" ? (
        <TextField
          label="Value"
          hint="Kept encrypted, and never shown again."
          rows={3}
          isCode
          autoComplete="off"
          spellCheck="false"
          isRequired
          value={form.value}
          onChange={(value) => change({ value })}
          error={fieldError(error, "/value")}
        />
      ) : (
        <ConnectionFields form={form} change={change} error={error} />
      )}
      <TextField
        label="Hosts"
        hint="The only ones that it is ever sent to, separated by spaces, such as api.example.com."
        isCode
        isRequired
        value={form.hosts}
        onChange={(hosts) => change({ hosts })}
        error={fieldError(error, "/hosts")}
      />
      <Checkbox
        hint={`${exposeWarning} Most tools do not need it.`}
        isSelected={form.exposable}
        onChange={(exposable) => change({ exposable })}
      >
        Let the code of tools read the value itself
      </Checkbox>
    </FormDialog>
  );
}

function NameFields({
  form,
  change,
  error,
}: {
  form: CredentialForm;
  change: (part: Partial<CredentialForm>) => void;
  error: unknown;
}): ReactNode {
  const { data: me } = useQuery(meQuery);
  return (
    <>
      <TextField
        label="Name"
        hint="As tools ask for it: capital letters, digits and _."
        placeholder="OPENWEATHER_KEY"
        isCode
        isRequired
        spellCheck="false"
        value={form.name}
        onChange={(name) => change({ name: name.toUpperCase().replace(/[^A-Z0-9_]/g, "_") })}
        error={fieldError(error, "/name")}
      />
      {mayDo(me?.workspace.role ?? "", "credentials:share") ? (
        <SelectField
          label="For whom"
          choices={[
            { id: "user", label: "Me", hint: "Only your own runs get it." },
            {
              id: "workspace",
              label: "The workspace",
              hint: "Runs of all members get it, unless they have their own.",
            },
          ]}
          value={form.owner}
          onChange={(owner) => change({ owner })}
        />
      ) : null}
      <SelectField
        label="What it is"
        choices={[
          { id: "value", label: "A value", hint: "A key, a password, a token." },
          {
            id: "oauth2",
            label: "A connection by OAuth 2",
            hint: "A token that is got from a provider and kept fresh.",
          },
        ]}
        value={form.kind}
        onChange={(kind) => change({ kind })}
      />
    </>
  );
}
