import type { ApprovalNeeds, MissingCredential, ToolApprovals } from "@toolhost/contract";
import { html } from "hono/html";
import type { CredentialGap } from "#core/vault";
import type { Html } from "./page.ts";
import { toPage } from "./page.ts";

/** Which tool asks, who made it and where it comes from; with its code, where the person may see that. */
export function toolBlock(
  { tool, version }: Pick<ToolApprovals, "tool" | "version">,
  since: number | null = null,
): Html {
  const { name, title, author, workspace } = tool;
  const codeUrl = (search: Record<string, string>) => {
    const query = new URLSearchParams({ ...search, workspace: workspace.id });
    return `/tools/${encodeURIComponent(name)}?${query.toString()}`;
  };
  const changesLink = (from: number) =>
    html`<a
      href="${codeUrl({ tab: "versions", version: String(version), with: String(from) })}"
      target="_blank"
      rel="noreferrer"
      >Compare with version ${from}</a
    >`;
  return html`<dl>
    <dt>Tool</dt>
    <dd>${title} <code>${name}</code></dd>
    <dt>Version</dt>
    <dd>${version}</dd>
    <dt>Author</dt>
    <dd>${author === "" ? "Deleted account" : author}</dd>
    <dt>Workspace</dt>
    <dd>${workspace.name}${workspace.isOwn ? "" : " (another workspace)"}</dd>
    ${
      workspace.isOwn
        ? html`<dt>Code</dt>
            <dd>
              <a href="${codeUrl({ tab: "source" })}" target="_blank" rel="noreferrer"
                >Look at the code</a
              >
              ${since === null || since === version ? "" : html`· ${changesLink(since)}`}
            </dd>`
        : ""
    }
  </dl>`;
}

/**
 * What a version asks for beyond what was approved: its credentials with their hosts, whether it sees their values, and
 * what it reaches. Where no host is new, the hosts are all that it wants.
 */
export function needsBlock(
  { credentials, allowedHosts }: ApprovalNeeds,
  wanted: ApprovalNeeds,
): Html {
  const allHosts = new Map(wanted.credentials.map(({ name, hosts }) => [name, hosts]));
  return html`<dl>
      ${credentials.map(
        ({ name, hosts }) =>
          html`<dt>${name} is sent to</dt>
            <dd>${hostsText(hosts.length === 0 ? (allHosts.get(name) ?? []) : hosts)}</dd>`,
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
  return hosts.includes("*") ? "every host that the credential allows" : hosts.join(", ");
}

function exposeWarning(names: readonly string[]): Html | "" {
  if (names.length === 0) return "";
  return html`<p class="problem">
    The tool’s code sees the value of ${names.join(", ")}. It can send or show it in ways that
    Toolhost cannot recognize. Approve this only if you trust the code of this version. If somebody
    else changes the code, you are asked again.
  </p>`;
}

/** What else the owner of the credentials decides with the approval; nothing is changed that they do not tick. */
export function gapsBlock(gaps: readonly CredentialGap[], more: ApprovalNeeds): Html {
  const isWarned = (gap: CredentialGap) =>
    more.credentials.some(({ name, expose }) => expose && name === gap.name);
  return html`${gaps.map(
    (gap) =>
      html`${gap.expose ? exposeChoice(gap, isWarned(gap)) : ""}
      ${gap.hosts.length > 0 ? hostChoice(gap) : ""}`,
  )}`;
}

function exposeChoice({ name, mayChange }: CredentialGap, isWarned: boolean): Html {
  if (!mayChange) {
    return html`<p class="problem">
      Code may not read ${name} yet. An owner or admin of the workspace has to allow it.
    </p>`;
  }
  return html`${isWarned ? "" : exposeWarning([name])}
    <fieldset>
      <label
        ><input type="checkbox" name="expose" value="${name}" />
        <span>Let code read ${name}. Otherwise this version does not run.</span></label
      >
    </fieldset>`;
}

function hostChoice({ name, hosts, mayChange }: CredentialGap): Html {
  return html`<p class="problem">${name} may not be sent to ${hosts.join(", ")}.</p>
    ${
      mayChange
        ? html`<fieldset>
            ${hosts.map(
              (host) =>
                html`<label
                  ><input type="checkbox" name="host" value="${name} ${host}" />
                  <span>Allow ${name} to be sent to ${host}</span></label
                >`,
            )}
          </fieldset>`
        : html`<p>An owner or admin of the workspace can add these hosts to it.</p>`
    }`;
}

const remedies: Record<MissingCredential["reason"], string> = {
  missing: "Add",
  not_connected: "Connect",
  not_approved: "Approve the use of",
  not_exposable: "Let code read",
};

/** The confirmation page, with a link for each credential that the tool still needs before it can run. */
export function toDonePage(
  message: string,
  missing: readonly MissingCredential[] | undefined = [],
): Promise<Response> {
  const body = html`<h1>Done</h1>
    <p role="status">${message}</p>
    ${
      missing.length === 0
        ? html`<p>You may close this window.</p>`
        : html`<p>The tool still cannot run. What is missing:</p>
            <ul>
              ${missing.map(
                ({ name, reason, connectUrl }) =>
                  html`<li><a href="${connectUrl}">${remedies[reason]} ${name}</a></li>`,
              )}
            </ul>`
    }`;
  return toPage({ title: "Done", body });
}
