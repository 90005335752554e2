import type { ApprovalNeeds, CredentialOwner, ToolApproval } from "@toolhost/contract";
import { html } from "hono/html";
import type { Hono } from "hono";
import { mayDo, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import type { Context } from "#core/context";
import { approveWithChanges, findCredentialGaps } from "#core/vault";
import type { CredentialConsent } from "#core/vault";
import { approveDraftContent, getDraftApprovals } from "#core/drafts";
import { tryFindMissingCredentials } from "#core/runs";
import { getApprovals } from "#core/catalog";
import type { AppEnv } from "#rest";
import { gapsSection, needsSection, toDonePage, toolSection } from "./approval-sections.ts";
import { redirectTo } from "./auth-client.ts";
import type { PageRequest } from "./auth-client.ts";
import { credentialMessages } from "./credential-messages.ts";
import { hidden } from "./fields.ts";
import { findPageCaller, pageRequestOf, requirePageCaller, callerFields } from "./page-caller.ts";
import type { Html } from "./page.ts";
import { toPage } from "./page.ts";
import { orProblemPage } from "./problem-page.ts";
import { readForm } from "./read-form.ts";
import { signInPath, withNext } from "./sign-in.ts";

const { approval: texts, draft: drafts } = credentialMessages;

const approvePath = "/approvals";

/** The pages on which the owner of credentials approves what a version of a tool, or a draft, requests. */
export function mountApprovalPages(app: Hono<AppEnv>, context: Context): void {
  app.get("/tools/:name", (c, next) => {
    if (c.req.query("approve") === undefined) return next();
    c.set("route", "/tools/{name}");
    return orProblemPage(() =>
      withCaller(context, pageRequestOf(c), (caller, query) =>
        toToolApproval(context, caller, c.req.param("name"), ownerOf(query), {
          version: Number(query.get("approve")) || undefined,
        }),
      ),
    );
  });
  app.get("/drafts/:id", (c, next) => {
    if (c.req.query("approve") === undefined) return next();
    c.set("route", "/drafts/{id}");
    return orProblemPage(() =>
      withCaller(context, pageRequestOf(c), (caller, query) =>
        toDraftApproval(context, caller, c.req.param("id"), ownerOf(query)),
      ),
    );
  });
  app.post(approvePath, (c) => {
    c.set("route", approvePath);
    return orProblemPage(() => submitApproval(context, pageRequestOf(c)));
  });
}

async function withCaller(
  context: Context,
  page: PageRequest,
  show: (caller: Caller, query: URLSearchParams) => Promise<Response>,
): Promise<Response> {
  const { searchParams, pathname, search } = new URL(page.request.url);
  const caller = await findPageCaller(context, page, searchParams.get("workspace"));
  if (caller === undefined) return redirectTo(withNext(signInPath, pathname + search));
  return show(caller, searchParams);
}

function ownerOf(values: URLSearchParams): CredentialOwner {
  return values.get("owner") === "workspace" ? "workspace" : "user";
}

/** The version in the link, which may no longer be live, and a message about the previous step. */
type ApprovalLink = { version?: number | undefined; note?: string | undefined };

/** Asks the owner of credentials to approve everything that a tool's live version requests. */
export async function toToolApproval(
  context: Context,
  caller: Caller,
  name: string,
  owner: CredentialOwner,
  { version: requested, note }: ApprovalLink = {},
): Promise<Response> {
  const shown = await getApprovals(context, caller, name);
  const { tool, version, approvals } = shown;
  const mine = approvals.find((approval) => approval.owner === owner);
  const gaps = await findCredentialGaps(context, caller, shown, owner);
  if (mine === undefined || (mine.covered && gaps.length === 0)) {
    return toDonePage(texts.nothingLeft);
  }
  const isStale = requested !== undefined && requested !== version;
  const title = mine.covered ? texts.review(tool.title) : texts.approve(tool.title);
  const body = html`<h1>${title}</h1>
    ${note === undefined ? "" : html`<p role="status">${note}</p>`}
    ${isStale ? html`<p role="status">${texts.notLive(requested, version)}</p>` : ""}
    ${toolSection(shown, caller.scopes.has("tools:write") ? mine.version : null)}
    ${mine.covered ? "" : newPart(mine, shown.requested)}
    ${
      !tool.workspace.isOwn && shown.requested.credentials.some(({ expose }) => expose)
        ? html`<p class="ui-note bad">${texts.foreignTool}</p>`
        : ""
    }
    <form method="post" action="${approvePath}">
      ${hidden("tool", name)} ${hidden("version", String(version))} ${hidden("owner", owner)}
      ${callerFields(caller)} ${gapsSection(gaps, mine.new)}
      ${
        owner === "user" || mayDo(caller.role, "credentials:share")
          ? html`<button type="submit" class="ui-button primary wide">
              ${mine.covered ? texts.save : texts.submit(version)}
            </button>`
          : html`<p>${texts.adminsOnly}</p>`
      }
    </form>`;
  return toPage({ title, body });
}

function newPart(
  { owner, approved, how, new: more }: ToolApproval,
  requested: ApprovalNeeds,
): Html {
  const isShared = owner === "workspace";
  const lead =
    approved === null
      ? texts.requests(isShared)
      : how === "withdrawn"
        ? texts.withdrawn(isShared)
        : texts.requestsMore(isShared);
  return html`<p>${lead}</p>
    ${needsSection(more, requested)}`;
}

/** Shown if the version or revision changed while the page was open. */
function toChangedPage(heading: string, reviewUrl: string): Promise<Response> {
  const body = html`<h1>${heading}</h1>
    <p role="alert">${texts.changed}</p>
    <p><a class="ui-button primary wide" href="${reviewUrl}">${texts.reviewAgain}</a></p>`;
  return toPage({ title: texts.changedTitle, body, status: 409 });
}

async function toDraftApproval(
  context: Context,
  caller: Caller,
  id: string,
  owner: CredentialOwner,
): Promise<Response> {
  if (owner === "workspace" && !mayDo(caller.role, "credentials:share")) {
    throw new ServiceError("forbidden", drafts.adminsOnly);
  }
  const { revision, title, requested } = await getDraftApprovals(context, caller, id);
  const name = title === "" ? drafts.untitled : title;
  const body = html`<h1>${texts.approve(name)}</h1>
    <p>${drafts.lead}</p>
    ${needsSection(requested, requested)}
    <form method="post" action="${approvePath}">
      ${hidden("draft", id)} ${hidden("revision", String(revision))} ${callerFields(caller)}
      <button type="submit" class="ui-button primary wide">${drafts.submit}</button>
    </form>
    <p><a href="/drafts/${id}">${drafts.open}</a></p>`;
  return toPage({ title: drafts.title, body });
}

async function submitApproval(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const caller = await requirePageCaller(context, page, form);
  const draft = form.get("draft");
  return draft === null
    ? submitToolApproval(context, caller, form)
    : submitDraftApproval(context, caller, draft, form);
}

async function submitToolApproval(
  context: Context,
  caller: Caller,
  form: URLSearchParams,
): Promise<Response> {
  const name = form.get("tool") ?? "";
  const owner = ownerOf(form);
  const version = Number(form.get("version"));
  try {
    await approveWithChanges(context, caller, name, { version, owner }, consentsOf(form));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "version_not_live") throw error;
    const query = new URLSearchParams({ approve: "", owner, workspace: caller.workspaceId });
    return toChangedPage(
      texts.toolChanged,
      `/tools/${encodeURIComponent(name)}?${query.toString()}`,
    );
  }
  const missing = await tryFindMissingCredentials(context, caller, name);
  return toDonePage(texts.approved(version, name), missing);
}

async function submitDraftApproval(
  context: Context,
  caller: Caller,
  id: string,
  form: URLSearchParams,
): Promise<Response> {
  const revision = Number(form.get("revision"));
  try {
    await approveDraftContent(context, caller, id, { revision });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "draft_changed") throw error;
    const query = new URLSearchParams({ approve: "", workspace: caller.workspaceId });
    return toChangedPage(
      texts.draftChanged,
      `/drafts/${encodeURIComponent(id)}?${query.toString()}`,
    );
  }
  return toDonePage(drafts.approved);
}

/** The selected checkboxes, by credential. */
function consentsOf(form: URLSearchParams): CredentialConsent[] {
  const exposed = new Set(form.getAll("expose"));
  const hosts = form.getAll("host").map((text) => text.split(" "));
  const names = new Set([...exposed, ...hosts.map(([name = ""]) => name)]);
  return [...names].map((name) => ({
    name,
    expose: exposed.has(name),
    hosts: hosts.flatMap(([named, host]) => (named === name && host !== undefined ? [host] : [])),
  }));
}
