import { Link } from "@tanstack/react-router";
import type { ToolSummary } from "@toolhost/contract";
import type { ReactNode } from "react";
import { When } from "#components/badges";
import { messages as allMessages } from "./messages.ts";
import { Name } from "#components/name";

const messages = allMessages.facts;

/** Who made a tool, when it last ran, how often that succeeded, and its tags. */
export function ToolFactsLine({
  tool: { ownerId, lastRunAt, runs, tags },
  ownerName,
}: {
  tool: ToolSummary;
  ownerName: string;
}): ReactNode {
  const { completed, failed } = runs;
  const total = completed + failed;
  return (
    <p className="ui-facts mt-0.5 text-xs">
      {ownerId === null ? null : (
        <span>
          <Name>{ownerName}</Name>
        </span>
      )}
      {lastRunAt === null ? (
        <span>{messages.unused}</span>
      ) : (
        <span>
          {messages.lastRun} <When at={lastRunAt} />
        </span>
      )}
      {total === 0 ? null : (
        <span className={failed >= completed ? "text-bad" : undefined}>
          {messages.success(Math.floor((completed / total) * 100), total)}
        </span>
      )}
      {tags.map((tag) => (
        <Link key={tag} to="/" search={{ tag }} className="ui-badge hover:underline">
          <Name>{tag}</Name>
        </Link>
      ))}
    </p>
  );
}
