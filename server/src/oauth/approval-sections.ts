import type { ApprovalNeeds, MissingCredential, ToolApprovals } from "@toolhost/contract";
import { html } from "hono/html";
import type { CredentialGap } from "#core/vault";
import { credentialMessages, remedyFor } from "./credential-messages.ts";
import { messages } from "./messages.ts";
import type { Html } from "./page.ts";
import { toPage } from "./page.ts";

const texts = credentialMessages.needs;

/** The tool, its author and its workspace, with links to its code if the user can see it. */
export function toolSection(
  { tool, version }: Pick<ToolApprovals, "tool" | "version">,
  since: number | null = null,
): Html {
  const { name, title, author, workspace } = tool;
  const labels = credentialMessages.tool;
  const codeUrl = (search: Record<string, string>) => {
    const query = new URLSearchParams({ ...search, workspace: workspace.id });
    return `/tools/${encodeURIComponent(name)}?${query.toString()}`;
  };
  const changesLink = (from: number) =>
    html`<a
      href="${codeUrl({ tab: "versions", version: String(version), with: String(from) })}"
      target="_blank"
      rel="noreferrer"
      >${labels.compare(from)}</a
    >`;
  return html`<dl>
    <dt>${labels.name}</dt>
    <dd>${title} <code>${name}</code></dd>
    <dt>${labels.version}</dt>
    <dd>${version}</dd>
    <dt>${labels.author}</dt>
    <dd>${author === "" ? labels.deletedAuthor : author}</dd>
    <dt>${labels.workspace}</dt>
    <dd>${workspace.name}${workspace.isOwn ? "" : labels.otherWorkspace}</dd>
    ${
      workspace.isOwn
        ? html`<dt>${labels.code}</dt>
            <dd>
              <a href="${codeUrl({ tab: "source" })}" target="_blank" rel="noreferrer"
                >${labels.viewCode}</a
              >
              ${since === null || since === version ? "" : html`· ${changesLink(since)}`}
            </dd>`
        : ""
    }
  </dl>`;
}

/**
 * What a version requests beyond its approval: credentials with their hosts, access to their values, and the hosts that
 * the tool connects to. If a credential has no new host, all of its requested hosts are listed.
 */
export function needsSection(
  { credentials, allowedHosts }: ApprovalNeeds,
  requested: ApprovalNeeds,
): Html {
  const allHosts = new Map(requested.credentials.map(({ name, hosts }) => [name, hosts]));
  return html`<dl>
      ${credentials.map(
        ({ name, hosts }) =>
          html`<dt>${texts.sentTo(name)}</dt>
            <dd>${hostsText(hosts.length === 0 ? (allHosts.get(name) ?? []) : hosts)}</dd>`,
      )}
      ${
        allowedHosts.length === 0
          ? ""
          : html`<dt>${texts.connectsTo}</dt>
              <dd>${allowedHosts.join(", ")}</dd>`
      }
    </dl>
    ${exposeWarning(credentials.filter(({ expose }) => expose).map(({ name }) => name))}`;
}

function hostsText(hosts: readonly string[]): string {
  return hosts.includes("*") ? texts.allHosts : hosts.join(", ");
}

function exposeWarning(names: readonly string[]): Html | "" {
  if (names.length === 0) return "";
  return html`<p class="ui-note bad">${texts.exposeWarning(names.join(", "))}</p>`;
}

/** Changes of credentials that the approval needs, as checkboxes that are off by default. */
export function gapsSection(gaps: readonly CredentialGap[], more: ApprovalNeeds): Html {
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
    return html`<p class="ui-note bad">${texts.exposeDenied(name)}</p>`;
  }
  return html`${isWarned ? "" : exposeWarning([name])}
    <fieldset>
      <label class="ui-choice"
        ><input class="ui-mark" type="checkbox" name="expose" value="${name}" />
        <span>${texts.exposeChoice(name)}</span></label
      >
    </fieldset>`;
}

function hostChoice({ name, hosts, mayChange }: CredentialGap): Html {
  return html`<p class="ui-note bad">${texts.hostsDenied(name, hosts.join(", "))}</p>
    ${
      mayChange
        ? html`<fieldset>
            ${hosts.map(
              (host) =>
                html`<label class="ui-choice"
                  ><input class="ui-mark" type="checkbox" name="host" value="${name} ${host}" />
                  <span>${texts.hostChoice(name, host)}</span></label
                >`,
            )}
          </fieldset>`
        : html`<p>${texts.askAdmin}</p>`
    }`;
}

/** The confirmation page, with a link for each credential that the tool still needs. */
export function toDonePage(
  message: string,
  missing: readonly MissingCredential[] | undefined = [],
): Promise<Response> {
  const { title, stillMissing } = credentialMessages.done;
  const body = html`<h1>${title}</h1>
    <p role="status">${message}</p>
    ${
      missing.length === 0
        ? html`<p>${messages.page.closeWindow}</p>`
        : html`<p>${stillMissing}</p>
            <ul>
              ${missing.map(
                ({ name, reason, connectUrl }) =>
                  html`<li><a href="${connectUrl}">${remedyFor(reason, name)}</a></li>`,
              )}
            </ul>`
    }`;
  return toPage({ title, body });
}
