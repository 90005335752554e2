import type { Tool } from "@toolhost/contract";
import { fieldLabel } from "@toolhost/tool-schema";
import type { ReactNode } from "react";
import { messages as allMessages } from "./messages-catalog.ts";
import { Name } from "./name.tsx";

const messages = allMessages.facts;
const maxFields = 12;

/** Facts about a public tool before it is installed: its author, input, hosts and credentials. */
export function ToolFacts({ tool }: { tool: Tool }): ReactNode {
  const { inputSchema, credentials, allowedHosts = [], publisher } = tool;
  const fields = inputSchema["properties"];
  const names =
    typeof fields === "object" && fields !== null && !Array.isArray(fields)
      ? Object.entries(fields).map(([name, schema]) => fieldLabel(name, schema))
      : [];
  return (
    <div className="mt-1 grid gap-0.5 text-sm text-soft">
      {publisher === undefined ? null : (
        <p>
          {messages.by} <Name>{publisher.author || messages.deletedAccount}</Name> {messages.in}{" "}
          <Name>{publisher.workspace}</Name>
        </p>
      )}
      <p className="line-clamp-2">
        {names.length === 0 ? messages.noInput : messages.input(names.slice(0, maxFields))}
      </p>
      <p className="wrap-anywhere">
        {allowedHosts.length === 0 ? messages.noHosts : messages.hosts(allowedHosts)}
      </p>
      {credentials.length === 0 ? null : (
        <p className="wrap-anywhere">
          {messages.credentials(
            credentials.map((one) => messages.credential(one.name, toHosts(one.hosts))),
          )}
        </p>
      )}
    </div>
  );
}

function toHosts(hosts: readonly string[]): string {
  return hosts.length === 0 ? messages.everyHost : messages.forHosts(hosts);
}
