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
import { ExistingDocument, ExistingImport, ExistingUpload } from "./existing-import.tsx";
import { FileField } from "./file-field.tsx";
import { messages as allMessages } from "./messages.ts";
import { startForServer } from "./credential-start.ts";
import { SignIn } from "./sign-in.tsx";

const messages = allMessages.create;
/** The name of a document that was pasted. */
const pastedName = "document.txt";
const transports = ["auto", "http", "sse"] as const;

type Form = {
  source: "url" | "file" | "text";
  url: string;
  text: string;
  file: File | undefined;
  credential: string | null;
  transport: (typeof transports)[number];
};
type FieldsProps = { form: Form; change: (part: Partial<Form>) => void; error: unknown };

const empty: Form = {
  source: "url",
  url: "",
  text: "",
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
    mutationFn: async (filled: Form) => {
      const body = await bodyOf(kind, filled, setUploaded);
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
      error={hasFieldError(error, ["/url", "/credential"]) ? null : error}
      onSubmit={() => {
        setSubmitted(true);
        if (!isFileMissing) mutate(form);
      }}
    >
      <p className="text-sm text-soft">{messages.nothingYet}</p>
      {kind === "openapi" ? (
        <DocumentFields
          {...{ form, change, error, uploaded }}
          fileError={isSubmitted && isFileMissing ? messages.fileRequired : undefined}
        />
      ) : (
        <ServerFields
          {...{ form, change, error }}
          onSignedIn={(credential) => {
            change({ credential });
            mutate({ ...form, credential });
          }}
        />
      )}
    </FormDialog>
  );
}

async function bodyOf(
  kind: ImportKind,
  { source, url, text, file, credential, transport }: Form,
  onUpload: (fraction: number) => void,
): Promise<ApiRequest<"POST /imports">["body"]> {
  if (kind === "mcp") return { kind, url: url.trim(), credential, transport };
  // The dialog says so if the document is imported already.
  const common = { kind: "openapi", allowDuplicate: true } as const;
  if (source === "url") return { ...common, url: url.trim() };
  const content = source === "file" ? file : new File([text], pastedName);
  if (content === undefined) throw new Error(messages.fileRequired);
  const { fileId } = await uploadFile(content, onUpload);
  return { ...common, fileId };
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
          { id: "text", label: messages.sources.text },
        ]}
        value={form.source}
        onChange={(source) => change({ source })}
      />
      {form.source === "url" ? (
        <>
          <UrlField
            label={messages.url}
            hint={messages.urlHint}
            placeholder={messages.urlPlaceholder}
            {...{ form, change, error }}
          />
          <ExistingDocument url={form.url.trim()} />
        </>
      ) : form.source === "text" ? (
        <TextField
          label={messages.text}
          hint={messages.textHint}
          rows={10}
          isCode
          isRequired
          value={form.text}
          onChange={(text) => change({ text })}
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

function ServerFields({
  form,
  change,
  error,
  onSignedIn,
}: FieldsProps & { onSignedIn: (credential: string) => void }): ReactNode {
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
      {hasFieldError(error, ["/credential"]) ? (
        <SignIn url={url} credential={form.credential} onSignedIn={onSignedIn} />
      ) : null}
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
