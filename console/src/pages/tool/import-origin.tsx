import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ImportResource, ToolDetail } from "@toolhost/contract";
import type { ReactNode } from "react";
import { itemQuery, meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { messages as allMessages } from "./messages-on-demand.ts";
import { Name } from "#components/name";

const messages = allMessages.origin;

/** Where a tool was imported from, and whether a change of it waits for review; nothing for other tools. */
export function ImportOrigin({ tool: { name: toolName, hold } }: { tool: ToolDetail }): ReactNode {
  const { data = [] } = useQuery(itemQuery("/imports", { query: { toolName } }));
  const { data: me } = useQuery(meQuery);
  const [found] = data;
  const canBuild = me?.scopes.includes("tools:write") === true;
  const isChanged = canBuild && hold === undefined && (found?.changeCount ?? 0) > 0;
  const notice =
    hold === undefined ? null : (
      <Notice
        text={messages.onHold[hold]}
        importId={found?.id}
        canReview={canBuild}
        tool={toolName}
      />
    );
  if (found === undefined) return notice;
  return (
    <>
      <p className="-mt-2 text-sm text-soft">
        {messages.from[found.kind]}{" "}
        <Link
          to="/imports/$importId"
          params={{ importId: found.id }}
          className="rounded-sm text-strong hover:underline"
        >
          <Name>{found.title}</Name>
        </Link>
      </p>
      {notice}
      {isChanged ? <ChangeNotice found={found} toolName={toolName} /> : null}
    </>
  );
}

function ChangeNotice({ found: { id }, toolName }: { found: ImportResource; toolName: string }) {
  const query = { toolName, limit: 1 };
  const { data } = useQuery(itemQuery("/imports/{id}/changes", { params: { id }, query }));
  const change = data?.[0];
  if (change === undefined) return null;
  return <Notice text={messages.changed[change.kind]} importId={id} canReview tool={toolName} />;
}

/** Says that a change waits, and who can review it. */
function Notice({
  text,
  importId,
  canReview,
  tool,
}: {
  text: string;
  /** Undefined if the import was deleted, or belongs to another workspace. */
  importId: string | undefined;
  canReview: boolean;
  tool: string;
}): ReactNode {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn"
    >
      <span>
        {text} {importId === undefined ? messages.noImport : canReview ? null : messages.reviewers}
      </span>
      {importId !== undefined && canReview ? (
        <LinkButton
          to="/imports/$importId"
          params={{ importId }}
          search={{ tab: "changes", tool }}
          className="text-text"
        >
          {messages.review}
        </LinkButton>
      ) : null}
    </div>
  );
}
