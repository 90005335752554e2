import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ImportKind } from "@toolhost/contract";
import type { ApiRequest } from "@toolhost/contract/api";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { fieldError, hasFieldError } from "#api/field-errors";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { SelectField } from "#components/select-field";
import { hostToAllow } from "#lib/allowed-hosts";
import { discardFile, uploadFile } from "#runs/files.ts";
import { CredentialField } from "./credential-field.tsx";
import { ExistingImport, ExistingUpload } from "./existing-import.tsx";
import { FileField } from "./file-field.tsx";
import { messages as allMessages } from "./messages.ts";
import { startForServer } from "./credential-start.ts";

const messages = allMessages.create;
const transports = ["auto", "http", "sse"] as const;

type Form = {
  source: "url" | "file";
  url: string;
  file: File | undefined;
  credential: string | null;
  transport: (typeof transports)[number];
};
type FieldsProps = { form: Form; change: (part: Partial<Form>) => void; error: unknown };

const empty: Form = {
  source: "url",
  url: "",
  file: undefined,
  credential: null,
  transport: "auto",
};

/** Reads a document or lists a server's tools, then opens the page to select from them. */
export function CreateImportDialog({
  kind,
  onClose,
}: {
  kind: ImportKind;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [form, setForm] = useState(empty);
  const [uploaded, setUploaded] = useState<number>();
  const [isSubmitted, setSubmitted] = useState(false);
  const change = (part: Partial<Form>) => setForm((now) => ({ ...now, ...part }));
  const isFileMissing = kind === "openapi" && form.source === "file" && form.file === undefined;
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const body = await bodyOf(kind, form, setUploaded);
      try {
        return await api.send("POST /imports", { body });
      } finally {
        if ("fileId" in body && body.fileId !== undefined) await discardFile(body.fileId);
      }
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ["imports"] });
      await navigate({ to: "/imports/$importId", params: { importId: id } });
    },
    onSettled: () => setUploaded(undefined),
  });
  return (
    <FormDialog
      title={messages.titles[kind]}
      action={messages.action}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={hasFieldError(error, ["/url"]) ? null : error}
      onSubmit={() => {
        setSubmitted(true);
        if (!isFileMissing) mutate();
      }}
    >
      <p className="text-sm text-soft">{messages.nothingYet}</p>
      {kind === "openapi" ? (
        <DocumentFields
          {...{ form, change, error, uploaded }}
          fileError={isSubmitted && isFileMissing ? messages.fileRequired : undefined}
        />
      ) : (
        <ServerFields form={form} change={change} error={error} />
      )}
    </FormDialog>
  );
}

async function bodyOf(
  kind: ImportKind,
  { source, url, file, credential, transport }: Form,
  onUpload: (fraction: number) => void,
): Promise<ApiRequest<"POST /imports">["body"]> {
  if (kind === "mcp") return { kind, url: url.trim(), credential, transport };
  if (source === "url" || file === undefined) return { kind: "openapi", url: url.trim() };
  const { fileId } = await uploadFile(file, onUpload);
  return { kind: "openapi", fileId };
}

function DocumentFields({
  form,
  change,
  error,
  uploaded,
  fileError,
}: FieldsProps & { uploaded: number | undefined; fileError: string | undefined }): ReactNode {
  return (
    <>
      <SelectField
        label={messages.source}
        choices={[
          { id: "url", label: messages.sources.url },
          { id: "file", label: messages.sources.file },
        ]}
        value={form.source}
        onChange={(source) => change({ source })}
      />
      {form.source === "url" ? (
        <UrlField
          label={messages.url}
          hint={messages.urlHint}
          placeholder={messages.urlPlaceholder}
          {...{ form, change, error }}
        />
      ) : (
        <>
          <FileField
            label={messages.file}
            hint={messages.fileHint}
            file={form.file}
            uploaded={uploaded}
            error={fileError}
            onChange={(file) => change({ file })}
          />
          {form.file === undefined ? null : <ExistingUpload file={form.file} />}
        </>
      )}
    </>
  );
}

function ServerFields({ form, change, error }: FieldsProps): ReactNode {
  const url = form.url.trim();
  return (
    <>
      <UrlField
        label={messages.serverUrl}
        hint={messages.serverUrlHint}
        placeholder={messages.serverUrlPlaceholder}
        {...{ form, change, error }}
      />
      <ExistingImport url={url} />
      <CredentialField
        label={messages.credential}
        value={form.credential}
        onChange={(credential) => change({ credential })}
        host={hostToAllow(url)}
        isOptional
        start={startForServer(url)}
      />
      <details className="rounded-lg border border-line p-3">
        <summary className="cursor-pointer text-sm font-medium">{messages.advanced}</summary>
        <div className="mt-3">
          <SelectField
            label={messages.transport}
            choices={transports.map((id) => ({ id, label: messages.transports[id] }))}
            value={form.transport}
            onChange={(transport) => change({ transport })}
          />
        </div>
      </details>
    </>
  );
}

function UrlField({
  label,
  hint,
  placeholder,
  form,
  change,
  error,
}: FieldsProps & { label: string; hint: string; placeholder: string }): ReactNode {
  return (
    <TextField
      label={label}
      hint={hint}
      placeholder={placeholder}
      type="url"
      inputMode="url"
      isCode
      isRequired
      value={form.url}
      onChange={(url) => change({ url })}
      error={fieldError(error, "/url")}
    />
  );
}
