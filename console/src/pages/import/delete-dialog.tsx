import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { FormDialog } from "#components/form-dialog";
import { SelectField } from "#components/select-field";
import { showToast } from "#components/toasts";
import { messages } from "./messages.ts";

/** Asks what happens to the tools of an import, and deletes it. */
export function DeleteDialog({
  shown: { id, kind, title, toolCount, changeCount, draftCount },
  onClose,
}: {
  shown: ImportResource;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [tools, setTools] = useState<"keep" | "archive">("keep");
  const [drafts, setDrafts] = useState<"keep" | "delete">("keep");
  const { choices, draftChoices, ...labels } = messages.delete;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.send("DELETE /imports/{id}", { params: { id }, query: { tools, drafts } }),
    onSuccess: async () => {
      showToast(labels.done);
      await navigate({ to: "/imports" });
      client.removeQueries({ queryKey: ["imports", id] });
      await client.invalidateQueries({ queryKey: ["imports"] });
      await client.invalidateQueries({ queryKey: ["tools"] });
      await client.invalidateQueries({ queryKey: ["drafts"] });
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
        draftCount > 0 ? null : (
          <p className="text-sm">{labels.noTools}</p>
        )
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
          {kind === "mcp" && changeCount > 0 && tools === "keep" ? (
            <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
              {labels.unreviewed(changeCount)}
            </p>
          ) : null}
        </>
      )}
      {draftCount === 0 ? null : (
        <SelectField
          label={labels.drafts}
          value={drafts}
          onChange={setDrafts}
          choices={(["keep", "delete"] as const).map((choice) => ({
            id: choice,
            label: draftChoices[choice].label(draftCount),
            hint: draftChoices[choice].hint,
          }))}
        />
      )}
    </FormDialog>
  );
}
