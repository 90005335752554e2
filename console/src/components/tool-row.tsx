import { Link } from "@tanstack/react-router";
import type { Tool, ToolActivity } from "@toolhost/contract";
import type { ReactNode } from "react";
import { Badge } from "./badges.tsx";
import { LinkButton } from "./button.tsx";
import { RunHistory } from "./run-history.tsx";
import { ToolMenu } from "./tool-menu.tsx";
import type { ToolRights } from "#lib/rights";

/** A tool in a list: what it does, its last runs, and what can be done with it. */
export function ToolRow({
  tool,
  rights,
  runs,
}: {
  tool: Tool;
  rights: ToolRights;
  runs?: ToolActivity["runs"] | undefined;
}): ReactNode {
  const { name, title, description } = tool;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to="/tools/$name"
            params={{ name }}
            data-row-link=""
            className="rounded-sm font-medium hover:underline"
          >
            <bdi>{title}</bdi>
          </Link>
          <OriginBadge tool={tool} />
          <UpdateBadge tool={tool} />
        </div>
        <p className="line-clamp-2 text-sm text-soft sm:line-clamp-1">
          <bdi>{description}</bdi>
        </p>
      </div>
      {runs === undefined ? null : <RunHistory toolName={name} runs={runs} />}
      <div className="ml-auto flex items-center gap-1">
        {rights.run ? (
          <LinkButton
            to="/tools/$name"
            params={{ name }}
            search={{ tab: "run" }}
            aria-label={`Run ${title}`}
          >
            Run
          </LinkButton>
        ) : null}
        <ToolMenu tool={tool} rights={rights} />
      </div>
    </div>
  );
}

/** Says that a newer version of an installed tool waits to be accepted. */
export function UpdateBadge({ tool: { update } }: { tool: Pick<Tool, "update"> }): ReactNode {
  return update === undefined ? null : <Badge tone="warn">update available</Badge>;
}

/** Whose a tool is and who sees it, where that is worth a word. */
export function OriginBadge({ tool }: { tool: Pick<Tool, "visibility" | "installed"> }): ReactNode {
  if (tool.installed === true) return <Badge tone="strong">installed</Badge>;
  if (tool.visibility === "private") return <Badge>only you</Badge>;
  return tool.visibility === "public" ? <Badge tone="warn">public</Badge> : null;
}
