import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { JsonObject } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { allItemsQuery } from "#api/queries";
import { FormDialog } from "#components/form-dialog";
import { SelectField } from "#components/select-field";
import { FileBox } from "../imports/file-box.tsx";
import { messages } from "./messages.ts";
import { FolderError } from "./folder-error.ts";
import { isArchive, readArchive } from "./read-archive.ts";
import { filesByPath, readFolder } from "./read-folder.ts";

const newTool = "";

type Chosen = { name: string; count: number; definition: JsonObject | undefined; problem?: string };

/** Makes a draft of the folder of a tool: of a new tool, or of one with the same title. */
export function FolderDialog({ onClose }: { onClose: () => void }): ReactNode {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<Chosen>();
  const [target, setTarget] = useState<string>();
  const [isSubmitted, setSubmitted] = useState(false);
  const { data: tools = [] } = useQuery(allItemsQuery("/tools"));
  const title = chosen?.definition?.["title"];
  const sameTitle = tools.filter((tool) => tool.installed !== true && tool.title === title);
  const toolName = target ?? sameTitle[0]?.name ?? newTool;
  const { mutate, isPending, error } = useMutation({
    mutationFn: (definition: JsonObject) =>
      api.send("POST /drafts", {
        body: { definition, ...(toolName === newTool ? {} : { toolName }) },
      }),
    onSuccess: async ({ id }) => {
      void client.invalidateQueries({ queryKey: ["drafts", "pages"] });
      await navigate({ to: "/drafts/$draftId", params: { draftId: id } });
    },
  });
  const required = isSubmitted && chosen === undefined ? messages.required : undefined;
  return (
    <FormDialog
      title={messages.title}
      action={messages.action}
      isOpen
      onClose={onClose}
      isPending={isPending}
      error={error}
      onSubmit={() => {
        setSubmitted(true);
        if (chosen?.definition !== undefined) mutate(chosen.definition);
      }}
    >
      <p className="text-sm text-soft">{messages.lead}</p>
      <FileBox
        label={messages.folder}
        hint={messages.hint}
        action={chosen === undefined ? messages.choose : messages.replace}
        text={
          chosen === undefined ? messages.none : `${chosen.name} (${messages.files(chosen.count)})`
        }
        isEmpty={chosen === undefined}
        isFolder
        error={chosen?.problem ?? required}
        archive={messages.archive}
        onSelect={(files) => {
          setTarget(undefined);
          void read(files).then(setChosen);
        }}
      />
      {sameTitle.length === 0 ? null : (
        <SelectField
          label={messages.target}
          value={toolName}
          choices={[
            ...sameTitle.map((tool) => ({ id: tool.name, label: tool.title, hint: tool.name })),
            { id: newTool, label: messages.newTool, hint: messages.newToolHint },
          ]}
          onChange={setTarget}
        />
      )}
      <p className="text-sm text-soft">
        {messages.manyTools} <code className="font-mono text-xs">{messages.push}</code>
      </p>
    </FormDialog>
  );
}

async function read(files: readonly File[]): Promise<Chosen> {
  const [first] = files;
  const archive = first !== undefined && isArchive(first) && files.length === 1 ? first : undefined;
  const name = archive?.name ?? first?.webkitRelativePath.split("/")[0] ?? "";
  let common = { name, count: files.length };
  try {
    const byPath = archive === undefined ? filesByPath(files) : await readArchive(archive);
    common = { name, count: byPath.size };
    return { ...common, definition: await readFolder(byPath) };
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    return { ...common, definition: undefined, problem: error.message };
  }
}
