import { Link } from "@tanstack/react-router";
import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge, When } from "#components/badges";
import { messages as allMessages } from "./messages.ts";

const messages = allMessages.row;

/** An import in the list. Its title is the document's or server's own. */
export function ImportRow({ shown }: { shown: ImportResource }): ReactNode {
  const { id, kind, title, url, importedCount, itemCount, changeCount, checkedAt } = shown;
  return (
    <div className="grid gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/imports/$importId"
          params={{ importId: id }}
          className="min-w-0 rounded-sm font-medium wrap-anywhere hover:underline"
        >
          <bdi>{title}</bdi>
        </Link>
        <Badge>{allMessages.kinds[kind]}</Badge>
        <StatusBadge status={shown.status} />
        {changeCount === 0 ? null : <Badge tone="warn">{messages.changes(changeCount)}</Badge>}
      </div>
      <p className="ui-facts">
        <span className={url === null ? undefined : "font-mono text-xs wrap-anywhere"}>
          {hostOf(url)}
        </span>
        <span>{messages.tools(importedCount, itemCount)}</span>
        <span>
          {messages.checked} <When at={checkedAt} />
        </span>
      </p>
      {shown.problem === null ? null : (
        <p className="text-sm wrap-anywhere text-bad">{shown.problem}</p>
      )}
    </div>
  );
}

/** Whether the last check could read the document or server. */
export function StatusBadge({ status }: Pick<ImportResource, "status">): ReactNode {
  return <Badge tone={status === "ok" ? "good" : "bad"}>{messages[status]}</Badge>;
}

function hostOf(url: string | null): string {
  return url === null ? messages.uploaded : new URL(url).host || url;
}
