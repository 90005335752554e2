import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ImportedTool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { Button } from "#components/button";
import { Dialog } from "#components/dialog";
import { FormDialog } from "#components/form-dialog";
import { CreationResult } from "./creation-result.tsx";
import { itemMessages } from "./messages.ts";
import { Name } from "#components/name";

const messages = itemMessages.publishDrafts;
/** The service publishes no more with one request. */
const maxPerRequest = 50;

type ImportedDraft = { id: string; revision: number; title: string; key: string };

/** Offers to publish drafts of new tools from an import; nothing if there are none. */
export function PublishDrafts({
  importId: id,
  drafts,
}: {
  importId: string;
  drafts: readonly ImportedDraft[];
}): ReactNode {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<readonly ImportedDraft[]>();
  const publish = useMutation({
    mutationFn: async (selected: readonly ImportedDraft[]) => {
      const results: ImportedTool[] = [];
      for (let from = 0; from < selected.length; from += maxPerRequest) {
        const batch = selected.slice(from, from + maxPerRequest);
        const body = {
          drafts: batch.map(({ id: draftId, revision }) => ({ id: draftId, revision })),
        };
        results.push(
          ...(await api.send("POST /imports/{id}/drafts/publish", { params: { id }, body })),
        );
      }
      return results;
    },
    onSettled: async () => {
      for (const key of ["imports", "drafts", "tools"])
        await client.invalidateQueries({ queryKey: [key] });
    },
  });
  const close = () => {
    setChosen(undefined);
    publish.reset();
  };
  return (
    <>
      {drafts.length === 0 ? null : (
        <Button onPress={() => setChosen(drafts)}>{messages.open(drafts.length)}</Button>
      )}
      {chosen !== undefined && publish.data === undefined ? (
        <FormDialog
          title={messages.open(chosen.length)}
          action={messages.action}
          isOpen
          onClose={close}
          onSubmit={() => publish.mutate(chosen)}
          isPending={publish.isPending}
          error={publish.error}
        >
          <p className="text-sm text-soft">{messages.lead}</p>
          <ul className="max-h-[50vh] list-disc overflow-auto pl-5 text-sm">
            {chosen.map(({ id: draftId, title, key }) => (
              <li key={draftId} className="wrap-anywhere">
                <Name>{title || key}</Name>
              </li>
            ))}
          </ul>
        </FormDialog>
      ) : null}
      {chosen !== undefined && publish.data !== undefined ? (
        <Dialog title={itemMessages.result.title} isOpen onClose={close} isWide>
          <CreationResult
            items={chosen.map(({ key, title }) => ({ key, title: title || key }))}
            results={publish.data}
            kind="publish"
          />
          <div className="flex justify-end">
            <Button look="primary" onPress={close}>
              {itemMessages.result.done}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
