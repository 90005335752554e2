import { useMutation } from "@tanstack/react-query";
import type { ArchivedTool } from "@toolhost/contract";
import { ArchiveRestore } from "lucide-react";
import type { ReactNode } from "react";
import { listQuery } from "#api/queries";
import { When } from "#components/badges";
import { Button } from "#components/button";
import { EmptyState } from "#components/page";
import { PagedList } from "#components/paged-list";
import { useRestoreTools } from "#components/use-restore-tools";
import { messages as allMessages } from "./messages.ts";
import { Name } from "#components/name";

const { archived: messages, empty, labels, listLabel } = allMessages.lists;

/** The archived tools of the workspace, which can be restored. */
export function ArchivedTools(): ReactNode {
  const { restore } = useRestoreTools();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (tool: ArchivedTool) => restore([tool]),
  });
  return (
    <PagedList
      label={listLabel(labels.archived)}
      query={listQuery("/archived-tools")}
      idOf={({ name }) => name}
      itemHeight={69}
      empty={<EmptyState title={empty.archived.title}>{empty.archived.body}</EmptyState>}
    >
      {(tool) => (
        <div className="ui-row">
          <div className="min-w-0">
            <p className="font-medium">
              <Name>{tool.title}</Name>
            </p>
            <p className="text-sm text-soft">
              {messages.at} <When at={tool.archivedAt} />
            </p>
          </div>
          <Button
            aria-label={messages.restoreNamed(tool.title)}
            isPending={isPending && variables.name === tool.name}
            onPress={() => mutate(tool)}
          >
            <ArchiveRestore size={16} aria-hidden />
            {messages.restore}
          </Button>
        </div>
      )}
    </PagedList>
  );
}
