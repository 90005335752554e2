import { useMutation } from "@tanstack/react-query";
import type { Me, ToolDetail, ToolSummary } from "@toolhost/contract";
import type { ReactNode } from "react";
import { useState } from "react";
import { api } from "#api/client";
import { errorMessage } from "#api/problem";
import { Button } from "#components/button";
import { ConfirmDialog } from "#components/dialog";
import { TextField } from "#components/fields";
import { FormDialog } from "#components/form-dialog";
import { Menu } from "#components/menu";
import { showToast } from "#components/toasts";
import { useRestoreTools } from "#components/use-restore-tools";
import { rightsTo } from "#lib/rights";
import { saveFile } from "#lib/save-file";
import { messages as allMessages } from "./messages.ts";
import { toArchive } from "#lib/tool-folders";

const messages = allMessages.selection;

type DialogName = "tag" | "archive" | ToolSummary["visibility"];
type Action = (tool: ToolSummary) => Promise<unknown>;

/** The actions on the selected tools. Each tool is changed alone, and those that failed are named. */
export default function SelectionBar({
  tools,
  me,
  onDone,
}: {
  tools: readonly ToolSummary[];
  me: Me | undefined;
  onDone: () => void;
}): ReactNode {
  const [dialog, setDialog] = useState<DialogName>();
  const owned = tools.filter((tool) => rightsTo(tool, me).archive);
  const exported = tools.filter((tool) => tool.installed !== true);
  const { mutateAsync, isPending } = useChanges(onDone);
  const apply = async (on: readonly ToolSummary[], act: Action) => {
    setDialog(undefined);
    await mutateAsync({ on, act });
  };
  const addTags = (tags: string) => {
    const added = tags.split(/[\s,]+/).filter((tag) => tag !== "");
    return apply(tools, async (tool) =>
      api.send("PUT /tools/{name}/tags", {
        params: { name: tool.name },
        body: { tags: [...new Set([...tool.tags, ...added])] },
      }),
    );
  };
  const share = (visibility: ToolSummary["visibility"]) =>
    apply(
      owned.filter((tool) => tool.visibility !== visibility),
      async ({ name }) =>
        api.send("PATCH /tools/{name}", { params: { name }, body: { visibility } }),
    );
  const saveFolders = async () => {
    const details: ToolDetail[] = [];
    const act: Action = async ({ name }) =>
      details.push(await api.get("/tools/{name}", { params: { name } }));
    await mutateAsync({ on: exported, act });
    saveFile(await toArchive(details), "tools.tar.gz");
  };
  return (
    <div
      role="group"
      aria-label={messages.label}
      className="mb-3 flex flex-wrap items-center gap-2 rounded-xl border border-line bg-paper p-2"
    >
      <p role="status" className="px-2 text-sm">
        {messages.count(tools.length)}
      </p>
      <Button
        isDisabled={tools.length === 0}
        isPending={isPending}
        onPress={() => setDialog("tag")}
      >
        {messages.tag}
      </Button>
      <Menu
        label={messages.share}
        entries={(["private", "workspace", "public"] as const).map((id) => ({
          id,
          label: allMessages.filters.visibilities[id],
          onAction: () => setDialog(id),
        }))}
        trigger={<Button isDisabled={owned.length === 0}>{messages.share}</Button>}
      />
      <Button isDisabled={exported.length === 0} onPress={() => void saveFolders()}>
        {messages.export}
      </Button>
      <Button look="danger" isDisabled={owned.length === 0} onPress={() => setDialog("archive")}>
        {messages.archive}
      </Button>
      <SelectionDialogs
        dialog={dialog}
        counts={{ tagged: tools.length, changed: owned.length }}
        isPending={isPending}
        onClose={() => setDialog(undefined)}
        onTag={addTags}
        onShare={share}
        onArchive={() => apply(owned, archive)}
      />
    </div>
  );
}

const archive: Action = async ({ name }) => api.send("DELETE /tools/{name}", { params: { name } });

/** Changes tools one after another, and reports which could not be changed. */
function useChanges(onDone: () => void) {
  const { showArchived, undo, refresh } = useRestoreTools();
  return useMutation({
    mutationFn: async ({ on, act }: { on: readonly ToolSummary[]; act: Action }) => {
      const done: ToolSummary[] = [];
      const failed: string[] = [];
      for (const tool of on) {
        try {
          await act(tool);
          done.push(tool);
        } catch (error) {
          failed.push(`${tool.title}: ${errorMessage(error)}`);
        }
      }
      return { done, failed };
    },
    onSuccess: async ({ done, failed }, { act }) => {
      const isArchived = act === archive;
      if (failed.length > 0) {
        const text = messages.failed(done.length, failed);
        showToast(text, "bad", isArchived ? undo(done) : undefined);
      } else if (isArchived) showArchived(done);
      else showToast(messages.done(done.length));
      await refresh();
      onDone();
    },
  });
}

type DialogProps = {
  dialog: DialogName | undefined;
  counts: { tagged: number; changed: number };
  isPending: boolean;
  onClose: () => void;
  onTag: (tags: string) => Promise<void>;
  onShare: (visibility: ToolSummary["visibility"]) => Promise<void>;
  onArchive: () => Promise<void>;
};

/** Asks before the selected tools are changed. */
function SelectionDialogs({
  dialog,
  counts,
  isPending,
  onClose,
  onTag,
  onShare,
  onArchive,
}: DialogProps): ReactNode {
  const [tags, setTags] = useState("");
  const isVisibility = dialog === "private" || dialog === "workspace" || dialog === "public";
  return (
    <>
      <FormDialog
        title={messages.tagTitle(counts.tagged)}
        action={messages.addTags}
        isOpen={dialog === "tag"}
        onClose={onClose}
        onSubmit={() => void onTag(tags)}
        isPending={isPending}
      >
        <TextField label={messages.tags} hint={messages.tagsHint} value={tags} onChange={setTags} />
      </FormDialog>
      <ConfirmDialog
        title={messages.archiveTitle(counts.changed)}
        action={messages.archive}
        isOpen={dialog === "archive"}
        onClose={onClose}
        onConfirm={onArchive}
      >
        {messages.archiveBody}
      </ConfirmDialog>
      <ConfirmDialog
        title={messages.shareTitle(counts.changed)}
        action={messages.share}
        isOpen={isVisibility}
        onClose={onClose}
        onConfirm={async () => {
          if (isVisibility) await onShare(dialog);
        }}
      >
        {isVisibility ? messages.shareBody[dialog] : ""}
      </ConfirmDialog>
    </>
  );
}
