import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { itemQuery, meQuery } from "#api/queries";
import { LinkButton } from "#components/button";
import { messages as allMessages } from "./messages-on-demand.ts";

const messages = allMessages.origin;

/** Where a tool was imported from, and whether a change of it waits for review; nothing for other tools. */
export function ImportOrigin({ toolName }: { toolName: string }): ReactNode {
  const { data = [] } = useQuery(itemQuery("/imports", { query: { toolName } }));
  const { data: me } = useQuery(meQuery);
  const [found] = data;
  if (found === undefined) return null;
  const canReview = me?.scopes.includes("tools:write") === true && found.changeCount > 0;
  return (
    <>
      <p className="-mt-2 text-sm text-soft">
        {messages.from[found.kind]}{" "}
        <Link
          to="/imports/$importId"
          params={{ importId: found.id }}
          className="rounded-sm text-strong hover:underline"
        >
          <bdi>{found.title}</bdi>
        </Link>
      </p>
      {canReview ? <ChangeNotice found={found} toolName={toolName} /> : null}
    </>
  );
}

function ChangeNotice({ found: { id }, toolName }: { found: ImportResource; toolName: string }) {
  const query = { toolName, limit: 1 };
  const { data } = useQuery(itemQuery("/imports/{id}/changes", { params: { id }, query }));
  const change = data?.[0];
  if (change === undefined) return null;
  const { isOnHold, kind } = change;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn"
    >
      <span>{isOnHold ? messages.onHold[kind] : messages.changed[kind]}</span>
      <LinkButton
        to="/imports/$importId"
        params={{ importId: id }}
        search={{ tab: "changes", tool: toolName }}
        className="text-text"
      >
        {messages.review}
      </LinkButton>
    </div>
  );
}
