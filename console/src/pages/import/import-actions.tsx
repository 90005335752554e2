import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ImportResource } from "@toolhost/contract";
import { mayDo } from "@toolhost/contract/roles";
import { FileUp, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { ApiProblem, errorMessage } from "#api/problem";
import { meQuery } from "#api/queries";
import { Button } from "#components/button";
import { MoreButton } from "#components/more-button";
import { ConfirmDialog } from "#components/dialog";
import { FileButton } from "#components/file-button";
import { Menu } from "#components/menu";
import { showToast } from "#components/toasts";
import { discardFile, uploadFile } from "#runs/files.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { messages } from "./messages.ts";
import { RenameDialog } from "./rename-dialog.tsx";

const text = messages.check;

/** Checks the import, uploads a new version of its document, renames it and deletes it. */
export function ImportActions({
  shown,
  canBuild,
}: {
  shown: ImportResource;
  canBuild: boolean;
}): ReactNode {
  const [dialog, setDialog] = useState<"rename" | "delete">();
  const [uploaded, setUploaded] = useState<number>();
  const [mismatch, setMismatch] = useState<Mismatch>();
  const { mutate, mutateAsync, isPending } = useCheck(shown.id, setUploaded, setMismatch);
  const { data: me } = useQuery(meQuery);
  if (!canBuild) return null;
  const mayDelete =
    shown.createdBy === me?.user.id || mayDo(me?.workspace.role ?? "", "tools:oversee");
  return (
    <>
      {shown.url === null ? (
        <FileButton
          isPending={isPending}
          onSelect={([file]) => {
            if (file !== undefined) mutate({ file });
          }}
        >
          <FileUp size={16} aria-hidden />
          {uploaded === undefined ? text.upload : text.uploading(Math.round(uploaded * 100))}
        </FileButton>
      ) : (
        <Button isPending={isPending} onPress={() => mutate({})}>
          <RefreshCw size={16} aria-hidden />
          {text.action}
        </Button>
      )}
      <Menu
        label={messages.menu}
        trigger={<MoreButton label={messages.menuButton} />}
        entries={[
          { id: "rename", label: messages.rename.open, onAction: () => setDialog("rename") },
          ...(mayDelete
            ? [
                {
                  id: "delete",
                  label: messages.delete.action,
                  isDangerous: true,
                  onAction: () => setDialog("delete"),
                },
              ]
            : []),
        ]}
      />
      {dialog === "rename" ? (
        <RenameDialog shown={shown} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog === "delete" ? (
        <DeleteDialog shown={shown} onClose={() => setDialog(undefined)} />
      ) : null}
      <ConfirmDialog
        title={text.mismatch.title}
        action={text.mismatch.action}
        isOpen={mismatch !== undefined}
        onClose={() => {
          if (mismatch !== undefined) void discardFile(mismatch.fileId);
          setMismatch(undefined);
        }}
        onConfirm={() => mutateAsync({ fileId: mismatch?.fileId, allowMismatch: true })}
      >
        <p>{mismatch?.problem}</p>
        <p className="mt-2">{text.mismatch.body}</p>
      </ConfirmDialog>
    </>
  );
}

/** An uploaded document that evidently describes another API. */
type Mismatch = { fileId: string; problem: string };
type Check = { file?: File; fileId?: string | undefined; allowMismatch?: boolean };

function useCheck(
  id: string,
  onUpload: (fraction: number | undefined) => void,
  onMismatch: (mismatch: Mismatch) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, fileId: known, allowMismatch = false }: Check) => {
      const fileId = file === undefined ? known : (await uploadFile(file, onUpload)).fileId;
      const body = fileId === undefined ? {} : { fileId, allowMismatch };
      try {
        await api.send("POST /imports/{id}/check", { params: { id }, body });
      } catch (error) {
        const isMismatch = error instanceof ApiProblem && error.code === "document_mismatch";
        if (!isMismatch || fileId === undefined) {
          if (fileId !== undefined) await discardFile(fileId);
          throw error;
        }
        // The dialog asks what the API's advice is about.
        onMismatch({
          fileId,
          problem: errorMessage(error).replace(/ Import it separately.*$/s, ""),
        });
        return undefined;
      }
      if (fileId !== undefined) await discardFile(fileId);
      return api.get("/imports/{id}", { params: { id } });
    },
    onSuccess: (checked) => {
      if (checked === undefined) return;
      const { changeCount } = checked;
      showToast(changeCount === 0 ? text.unchanged : text.changed(changeCount));
    },
    onError: (error) => showToast(errorMessage(error), "bad"),
    onSettled: () => {
      onUpload(undefined);
      return client.invalidateQueries({ queryKey: ["imports"] });
    },
  });
}
