import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Tool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { Badge } from "#components/badges";
import { LinkButton } from "#components/button";
import { Initial } from "#components/initial";
import { InstallButton } from "#components/install-button";
import { ToolFacts } from "#components/tool-facts";
import { ToolMenu } from "#components/tool-menu";
import { UpdateBadge } from "#components/tool-row";
import { rightsTo } from "#lib/rights";
import { messages } from "./messages.ts";
import { Name } from "#components/name";

/** A public tool: what it needs, and whether it is installed here. */
export function CatalogRow({ tool, canInstall }: { tool: Tool; canInstall: boolean }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { name, title, description, installed } = tool;
  const isHere = installed !== false;
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3 sm:flex-nowrap">
      <Initial name={name} title={title} />
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {isHere ? (
            <Link
              to="/tools/$name"
              params={{ name }}
              className="rounded-sm font-medium hover:underline"
            >
              <Name>{title}</Name>
            </Link>
          ) : (
            <span className="font-medium">
              <Name>{title}</Name>
            </span>
          )}
          {installed === true ? <Badge tone="strong">{messages.installed}</Badge> : null}
          <UpdateBadge tool={tool} />
          {installed === undefined ? <Badge>{messages.ownWorkspace}</Badge> : null}
        </div>
        <p className="line-clamp-3 text-sm text-soft">{description}</p>
        <ToolFacts tool={tool} />
      </div>
      <div className="flex items-center gap-1">
        {installed === false && canInstall ? <InstallButton tool={tool} /> : null}
        {isHere ? (
          <LinkButton to="/tools/$name" params={{ name }} aria-label={messages.openNamed(title)}>
            {messages.open}
          </LinkButton>
        ) : null}
        {installed === true ? <ToolMenu tool={tool} rights={rightsTo(tool, me)} /> : null}
      </div>
    </div>
  );
}
