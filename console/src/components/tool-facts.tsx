import type { Tool } from "@toolhost/contract";
import type { ReactNode } from "react";

/** What there is to know of a tool of the catalog before it is installed: who made it, and what it takes, reaches and asks for. */
export function ToolFacts({ tool }: { tool: Tool }): ReactNode {
  const { inputSchema, credentials, allowedHosts = [], publisher } = tool;
  const fields = inputSchema["properties"];
  const names =
    typeof fields === "object" && fields !== null && !Array.isArray(fields)
      ? Object.keys(fields)
      : [];
  return (
    <div className="mt-1 grid gap-0.5 text-sm text-soft">
      {publisher === undefined ? null : (
        <p>
          By <bdi>{publisher.author === "" ? "a deleted account" : publisher.author}</bdi> in{" "}
          <bdi>{publisher.workspace}</bdi>
        </p>
      )}
      <p className="line-clamp-2">
        {names.length === 0 ? "Takes no input." : `Takes ${names.slice(0, 12).join(", ")}.`}
      </p>
      <p className="wrap-anywhere">
        {allowedHosts.length === 0 ? "Reaches no network." : `Reaches ${allowedHosts.join(", ")}.`}
      </p>
      {credentials.length === 0 ? null : (
        <p className="wrap-anywhere">
          Asks for {credentials.map((one) => `${one.name} (${toHosts(one.hosts)})`).join(", ")}.
        </p>
      )}
    </div>
  );
}

function toHosts(hosts: readonly string[]): string {
  return hosts.length === 0 ? "for every host that it allows" : `for ${hosts.join(", ")}`;
}
