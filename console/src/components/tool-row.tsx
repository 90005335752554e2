import { Link } from "@tanstack/react-router";
import type { Tool, ToolActivity } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge } from "./badges.tsx";
import { LinkButton } from "./button.tsx";
import { Initial } from "./initial.tsx";
import { messages as allMessages } from "./messages-tool.ts";
import { RunHistory } from "./run-history.tsx";
import { ToolMenu } from "./tool-menu.tsx";
import type { ToolRights } from "#lib/rights";
import { Name } from "./name.tsx";

const messages = allMessages.row;

/** A tool in a list: its description, latest runs and actions. */
export function ToolRow({
  tool,
  rights,
  runs,
  actions,
  children,
}: {
  tool: Pick<
    Tool,
    "name" | "title" | "description" | "visibility" | "installed" | "update" | "isOnHold"
  >;
  rights: ToolRights;
  runs?: ToolActivity["runs"] | undefined;
  /** Shown before the other actions. */
  actions?: ReactNode;
  /** Shown below the description. */
  children?: ReactNode;
}): ReactNode {
  const { name, title, description } = tool;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 sm:flex-nowrap">
      <Initial name={name} title={title} className="self-start" />
      <div className="min-w-0 flex-1 basis-40 max-sm:basis-3/4">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to="/tools/$name"
            params={{ name }}
            data-row-link=""
            className="rounded-sm font-medium hover:underline"
          >
            <Name>{title}</Name>
          </Link>
          <OriginBadge tool={tool} />
          <UpdateBadge tool={tool} />
          {tool.isOnHold === true ? <Badge tone="warn">{messages.onHold}</Badge> : null}
        </div>
        <p className="line-clamp-2 text-sm text-soft sm:line-clamp-1">
          <bdi>{description}</bdi>
        </p>
        {children}
      </div>
      {runs === undefined ? null : (
        <div className="max-sm:hidden">
          <RunHistory toolName={name} runs={runs} />
        </div>
      )}
      <div className="ml-auto flex items-center gap-1">
        {actions}
        {rights.run ? (
          <LinkButton
            to="/tools/$name"
            params={{ name }}
            search={{ tab: "run" }}
            aria-label={messages.runNamed(title)}
          >
            {messages.run}
          </LinkButton>
        ) : null}
        <ToolMenu tool={tool} rights={rights} />
      </div>
    </div>
  );
}

/** Marks an installed tool that has an update to review. */
export function UpdateBadge({ tool: { update } }: { tool: Pick<Tool, "update"> }): ReactNode {
  return update === undefined ? null : <Badge tone="warn">{messages.updateAvailable}</Badge>;
}

/** Says who can use a tool, or that it is installed. */
export function OriginBadge({ tool }: { tool: Pick<Tool, "visibility" | "installed"> }): ReactNode {
  if (tool.installed === true) return <Badge tone="strong">{messages.installed}</Badge>;
  if (tool.visibility === "private") return <Badge>{messages.private}</Badge>;
  if (tool.visibility === "public") return <Badge tone="warn">{messages.public}</Badge>;
  return <Badge>{messages.workspace}</Badge>;
}
