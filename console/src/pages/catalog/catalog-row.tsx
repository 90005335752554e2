import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Tool } from "@toolhost/contract";
import type { ReactNode } from "react";
import { meQuery } from "#api/queries";
import { Badge } from "#components/badges";
import { LinkButton } from "#components/button";
import { InstallButton } from "#components/install-button";
import { ToolMenu } from "#components/tool-menu";
import { UpdateBadge } from "#components/tool-row";
import { rightsTo } from "#lib/rights";

/** A public tool: what it asks for, and whether it is here already. */
export function CatalogRow({ tool, mayInstall }: { tool: Tool; mayInstall: boolean }): ReactNode {
  const { data: me } = useQuery(meQuery);
  const { name, title, description, installed } = tool;
  const isHere = installed !== false;
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {isHere ? (
            <Link
              to="/tools/$name"
              params={{ name }}
              className="rounded-sm font-medium hover:underline"
            >
              {title}
            </Link>
          ) : (
            <span className="font-medium">{title}</span>
          )}
          {installed === true ? <Badge tone="strong">installed</Badge> : null}
          <UpdateBadge tool={tool} />
          {installed === undefined ? <Badge>from this workspace</Badge> : null}
        </div>
        <p className="line-clamp-3 text-sm text-soft">{description}</p>
        <Asks tool={tool} />
      </div>
      <div className="flex items-center gap-1">
        {installed === false && mayInstall ? <InstallButton tool={tool} /> : null}
        {isHere ? (
          <LinkButton to="/tools/$name" params={{ name }} aria-label={`Open ${title}`}>
            Open
          </LinkButton>
        ) : null}
        {installed === true ? <ToolMenu tool={tool} rights={rightsTo(tool, me)} /> : null}
      </div>
    </div>
  );
}

/** What a tool takes, and which credentials it will ask for: known before it is installed. */
function Asks({ tool: { inputSchema, credentials } }: { tool: Tool }): ReactNode {
  const fields = inputSchema["properties"];
  const names =
    typeof fields === "object" && fields !== null && !Array.isArray(fields)
      ? Object.keys(fields)
      : [];
  return (
    <p className="mt-1 line-clamp-2 text-sm text-soft">
      {names.length === 0 ? "Takes no input. " : `Takes ${names.slice(0, 12).join(", ")}. `}
      {credentials.length === 0
        ? null
        : `Asks for ${credentials.map((one) => `${one.name} (${toHosts(one.hosts)})`).join(", ")}.`}
    </p>
  );
}

function toHosts(hosts: readonly string[]): string {
  return hosts.length === 0 ? "no host named" : `for ${hosts.join(", ")}`;
}
