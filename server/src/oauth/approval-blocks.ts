import type { ApprovalNeeds, ToolApprovals } from "@toolhost/contract";
import { html } from "hono/html";
import type { Html } from "./page.ts";
import { toPage } from "./page.ts";

/** Which tool asks, who made it and where it comes from. */
export function toolBlock({ tool, version }: Pick<ToolApprovals, "tool" | "version">): Html {
  const { name, title, author, workspace } = tool;
  return html`<dl>
    <dt>Tool</dt>
    <dd>${title} <code>${name}</code></dd>
    <dt>Version</dt>
    <dd>${version}</dd>
    <dt>Author</dt>
    <dd>${author === "" ? "Deleted account" : author}</dd>
    <dt>Workspace</dt>
    <dd>${workspace.isOwn ? "This workspace" : `${workspace.name} (another workspace)`}</dd>
  </dl>`;
}

/** What a version asks for: its credentials with their hosts, whether it sees their values, and what it reaches. */
export function needsBlock({ credentials, allowedHosts }: ApprovalNeeds): Html {
  return html`<dl>
      ${credentials.map(
        ({ name, hosts }) =>
          html`<dt>${name} is sent to</dt>
            <dd>${hostsText(hosts)}</dd>`,
      )}
      ${
        allowedHosts.length === 0
          ? ""
          : html`<dt>The tool reaches these hosts</dt>
              <dd>${allowedHosts.join(", ")}</dd>`
      }
    </dl>
    ${exposeWarning(credentials.filter(({ expose }) => expose).map(({ name }) => name))}`;
}

function hostsText(hosts: readonly string[]): string {
  if (hosts.length === 0) return "the same hosts as before";
  return hosts.includes("*") ? "every host that the credential allows" : hosts.join(", ");
}

function exposeWarning(names: readonly string[]): Html | "" {
  if (names.length === 0) return "";
  return html`<p class="problem">
    The tool’s code sees the value of ${names.join(", ")}. It can send or show it in ways that
    Toolhost cannot recognise. Approve this only if you trust the code of this version. If somebody
    else changes the code, you are asked again.
  </p>`;
}

/** A page that says that something is done. */
export function toDonePage(message: string): Promise<Response> {
  const body = html`<h1>Done</h1>
    <p role="status">${message}</p>`;
  return toPage({ title: "Done", body });
}
