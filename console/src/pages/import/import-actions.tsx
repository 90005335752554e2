import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ImportResource } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { FileUp, RefreshCw, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { FileTrigger } from "react-aria-components";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { meQuery } from "#api/queries";
import { Button } from "#components/button";
import { FormDialog } from "#components/form-dialog";
import { SelectField } from "#components/select-field";
import { showToast } from "#components/toasts";
import { uploadFile } from "#runs/files.ts";
import { messages } from "./messages.ts";

const text = messages.check;

/** Checks the import, uploads a new version of its document, and deletes it. */
export function ImportActions({
  shown,
  canBuild,
}: {
  shown: ImportResource;
  canBuild: boolean;
}): ReactNode {
  const [isDeleting, setDeleting] = useState(false);
  const [uploaded, setUploaded] = useState<number>();
  const { mutate, isPending } = useCheck(shown.id, setUploaded);
  const { data: me } = useQuery(meQuery);
  if (!canBuild) return null;
  const mayDelete =
    shown.createdBy === me?.user.id || mayDo(me?.workspace.role ?? "", "tools:oversee");
  return (
    <>
      {shown.url === null ? (
        <FileTrigger
          onSelect={(files) => {
            const file = files?.[0];
            if (file !== undefined && !isPending) mutate(file);
          }}
        >
          <Button isPending={isPending}>
            <FileUp size={16} aria-hidden />
            {uploaded === undefined ? text.upload : text.uploading(Math.round(uploaded * 100))}
          </Button>
        </FileTrigger>
      ) : (
        <Button isPending={isPending} onPress={() => mutate(undefined)}>
          <RefreshCw size={16} aria-hidden />
          {text.action}
        </Button>
      )}
      {mayDelete ? (
        <Button look="danger" onPress={() => setDeleting(true)}>
          <Trash2 size={16} aria-hidden />
          {messages.delete.action}
        </Button>
      ) : null}
      {isDeleting ? <DeleteDialog shown={shown} onClose={() => setDeleting(false)} /> : null}
    </>
  );
}

function useCheck(id: string, onUpload: (fraction: number | undefined) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (file: File | undefined) => {
      const body = file === undefined ? {} : { fileId: (await uploadFile(file, onUpload)).fileId };
      await api.send("POST /imports/{id}/check", { params: { id }, body });
      return api.get("/imports/{id}", { params: { id } });
    },
    onSuccess: ({ changeCount }) =>
      showToast(changeCount === 0 ? text.unchanged : text.changed(changeCount)),
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () => {
      onUpload(undefined);
      return client.invalidateQueries({ queryKey: ["imports"] });
    },
  });
}

function DeleteDialog({
  shown: { id, kind, title, toolCount, changeCount },
  onClose,
}: {
  shown: ImportResource;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [tools, setTools] = useState<"keep" | "archive">("keep");
  const { choices, ...labels } = messages.delete;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.send("DELETE /imports/{id}", { params: { id }, query: { tools } }),
    onSuccess: async () => {
      showToast(labels.done);
      await navigate({ to: "/imports" });
      client.removeQueries({ queryKey: ["imports", id] });
      await client.invalidateQueries({ queryKey: ["imports"] });
      await client.invalidateQueries({ queryKey: ["tools"] });
    },
  });
  return (
    <FormDialog
      title={labels.title(title)}
      action={labels.action}
      isOpen
      isDangerous
      onClose={onClose}
      onSubmit={mutate}
      isPending={isPending}
      error={error}
    >
      {toolCount === 0 ? (
        <p className="text-sm">{labels.noTools}</p>
      ) : (
        <>
          <SelectField
            label={labels.tools}
            value={tools}
            onChange={setTools}
            choices={[
              { id: "keep", ...choices.keep },
              { id: "archive", ...choices.archive },
            ]}
          />
          <p className="text-sm text-soft">{choices[tools].hint}</p>
          {kind === "mcp" && changeCount > 0 && tools === "keep" ? (
            <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
              {labels.unreviewed(changeCount)}
            </p>
          ) : null}
        </>
      )}
    </FormDialog>
  );
}
