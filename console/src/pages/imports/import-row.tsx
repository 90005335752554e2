import { Link } from "@tanstack/react-router";
import type { ImportResource } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge, When } from "#components/badges";
import { messages as allMessages } from "./messages.ts";
import { Name } from "#components/name";

const messages = allMessages.row;

/** An import in the list. Its title is the document's or server's own. */
export function ImportRow({ shown }: { shown: ImportResource }): ReactNode {
  const { id, title, url, fileName, importedCount, draftCount, itemCount, checkedAt } = shown;
  return (
    <div className="grid gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/imports/$importId"
          params={{ importId: id }}
          className="min-w-0 rounded-sm font-medium wrap-anywhere hover:underline"
        >
          <Name>{title}</Name>
        </Link>
        <Badge>{kindOf(shown)}</Badge>
        <StatusBadge shown={shown} />
      </div>
      <p className="ui-facts">
        <span className={url === null ? undefined : "font-mono text-xs wrap-anywhere"}>
          {url === null ? (fileName ?? messages.uploaded) : hostOf(url)}
        </span>
        <span>{messages.tools(importedCount, itemCount)}</span>
        {draftCount === 0 ? null : <span>{messages.drafts(draftCount)}</span>}
        <span>
          {messages.checked} <When at={checkedAt} />
        </span>
      </p>
      {shown.problem === null || isBridge(shown) ? null : (
        <p className="text-sm wrap-anywhere text-bad">{shown.problem}</p>
      )}
    </div>
  );
}

/** What needs attention first: a failed check, tools on hold, or changes to review. */
export function StatusBadge({ shown }: { shown: ImportResource }): ReactNode {
  const { status, holdCount, changeCount } = shown;
  if (status === "failing") {
    return isBridge(shown) ? (
      <Badge>{messages.notConnected}</Badge>
    ) : (
      <Badge tone="bad">{messages.failing}</Badge>
    );
  }
  if (holdCount > 0) return <Badge tone="warn">{messages.onHold(holdCount)}</Badge>;
  if (changeCount > 0) return <Badge tone="warn">{messages.changes(changeCount)}</Badge>;
  return <Badge tone="good">{messages.ok}</Badge>;
}

/** The format of a document, or what kind of server it is. */
export function kindOf(shown: Pick<ImportResource, "kind" | "format" | "url">): string {
  const { kind, format } = shown;
  const { kinds } = allMessages;
  if (isBridge(shown)) return kinds.bridge;
  if (format.startsWith("postman")) return kinds.postman;
  return format.startsWith("swagger") ? kinds.swagger : kinds[kind];
}

/** Whether `toolhost bridge` connects the server. */
export function isBridge({ url }: Pick<ImportResource, "url">): boolean {
  return url?.startsWith("bridge:") === true;
}

function hostOf(url: string): string {
  return new URL(url).host || url;
}
