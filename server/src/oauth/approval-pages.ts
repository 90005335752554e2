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
import type { Door } from "#rest";
import { gapsBlock, needsBlock, toDonePage, toolBlock } from "./approval-blocks.ts";
import { leadOn } from "./ask-sign-in.ts";
import type { PageRequest } from "./ask-sign-in.ts";
import { orProblemPage } from "./consent.ts";
import { hidden } from "./fields.ts";
import { readForm } from "./form.ts";
import { findPageCaller, pageRequestOf, requirePageCaller, seenBy } from "./page-caller.ts";
import type { Html } from "./page.ts";
import { toPage } from "./page.ts";
import { signInPath, withNext } from "./sign-in.ts";

const approvePath = "/approvals";

/** The pages on which the owner of credentials approves what a version of a tool, or a draft, asks for. */
export function mountApprovalPages(door: Hono<Door>, context: Context): void {
  door.get("/tools/:name", (c, next) => {
    if (c.req.query("approve") === undefined) return next();
    c.set("route", "/tools/{name}");
    return orProblemPage(() =>
      asSignedIn(context, pageRequestOf(c), (caller, query) =>
        toToolApproval(context, caller, c.req.param("name"), ownerOf(query), {
          version: Number(query.get("approve")) || undefined,
        }),
      ),
    );
  });
  door.get("/drafts/:id", (c, next) => {
    if (c.req.query("approve") === undefined) return next();
    c.set("route", "/drafts/{id}");
    return orProblemPage(() =>
      asSignedIn(context, pageRequestOf(c), (caller, query) =>
        toDraftApproval(context, caller, c.req.param("id"), ownerOf(query)),
      ),
    );
  });
  door.post(approvePath, (c) => {
    c.set("route", approvePath);
    return orProblemPage(() => takeApproval(context, pageRequestOf(c)));
  });
}

async function asSignedIn(
  context: Context,
  page: PageRequest,
  show: (caller: Caller, query: URLSearchParams) => Promise<Response>,
): Promise<Response> {
  const { searchParams, pathname, search } = new URL(page.request.url);
  const caller = await findPageCaller(context, page, searchParams.get("workspace"));
  if (caller === undefined) return leadOn(withNext(signInPath, pathname + search));
  return show(caller, searchParams);
}

function ownerOf(values: URLSearchParams): CredentialOwner {
  return values.get("owner") === "workspace" ? "workspace" : "user";
}

/** What leads to the page: a version that may be live no longer, and what was done before. */
type Arrival = { version?: number | undefined; note?: string | undefined };

/** The page on which the owner of credentials decides about all that a tool's live version asks for of them. */
export async function toToolApproval(
  context: Context,
  caller: Caller,
  name: string,
  owner: CredentialOwner,
  { version: asked, note }: Arrival = {},
): Promise<Response> {
  const shown = await getApprovals(context, caller, name);
  const { tool, version, approvals } = shown;
  const mine = approvals.find((approval) => approval.owner === owner);
  const gaps = await findCredentialGaps(context, caller, shown, owner);
  if (mine === undefined || (mine.covered && gaps.length === 0)) {
    return toDonePage("There is nothing left to approve.");
  }
  const isStale = asked !== undefined && asked !== version;
  const title = mine.covered ? `Review ${tool.title}` : `Approve ${tool.title}?`;
  const body = html`<h1>${title}</h1>
    ${note === undefined ? "" : html`<p role="status">${note}</p>`}
    ${
      isStale
        ? html`<p role="status">
            Version ${asked} is no longer live. This is about version ${version}.
          </p>`
        : ""
    }
    ${toolBlock(shown, caller.scopes.has("tools:write") ? mine.version : null)}
    ${mine.covered ? "" : newPart(mine, shown.wanted)}
    ${
      !tool.workspace.isOwn && shown.wanted.credentials.some(({ expose }) => expose)
        ? html`<p class="problem">
            Tools of other workspaces never see a value, so this version does not run.
          </p>`
        : ""
    }
    <form method="post" action="${approvePath}">
      ${hidden("tool", name)} ${hidden("version", String(version))} ${hidden("owner", owner)}
      ${seenBy(caller)} ${gapsBlock(gaps, mine.new)}
      ${
        owner === "user" || mayDo(caller.role, "credentials:share")
          ? html`<button type="submit">
              ${mine.covered ? "Save" : html`Approve version ${version}`}
            </button>`
          : html`<p>Only owners and admins approve the use of the workspace’s credentials.</p>`
      }
    </form>`;
  return toPage({ title, body });
}

function newPart({ owner, approved, how, new: more }: ToolApproval, wanted: ApprovalNeeds): Html {
  const whose = owner === "workspace" ? "the workspace’s" : "your";
  const lead =
    approved === null
      ? `It asks for ${whose} credentials:`
      : how === "withdrawn"
        ? `Its approval was withdrawn. It asks for ${whose} credentials:`
        : `It asks for more than was approved of ${whose} credentials:`;
  return html`<p>${lead}</p>
    ${needsBlock(more, wanted)}`;
}

/** Says that another version or revision is live than the one that was on the page. */
function toChangedPage(what: string, reviewUrl: string): Promise<Response> {
  const body = html`<h1>${what} changed</h1>
    <p role="alert">It changed while the page was open, so nothing was approved.</p>
    <p><a class="action" href="${reviewUrl}">Review it as it is now</a></p>`;
  return toPage({ title: "Nothing was approved", body, status: 409 });
}

async function toDraftApproval(
  context: Context,
  caller: Caller,
  id: string,
  owner: CredentialOwner,
): Promise<Response> {
  if (owner === "workspace" && !mayDo(caller.role, "credentials:share")) {
    throw new ServiceError(
      "forbidden",
      "Only owners and admins can try out drafts with the workspace's credentials. Publish the draft and ask one of them to approve the tool.",
    );
  }
  const { revision, title, wanted } = await getDraftApprovals(context, caller, id);
  const name = title === "" ? "your draft" : title;
  const body = html`<h1>Approve ${name}?</h1>
    <p>
      Part of this draft was not written by you: it was saved by a key that must not use your
      credentials, or comes from another tool. Look at its code first.
    </p>
    ${needsBlock(wanted, wanted)}
    <form method="post" action="${approvePath}">
      ${hidden("draft", id)} ${hidden("revision", String(revision))} ${seenBy(caller)}
      <button type="submit">Approve the draft as it is now</button>
    </form>
    <p><a href="/drafts/${id}">Open the draft</a></p>`;
  return toPage({ title: "Approve a draft", body });
}

async function takeApproval(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const caller = await requirePageCaller(context, page, form);
  const draft = form.get("draft");
  return draft === null
    ? takeToolApproval(context, caller, form)
    : takeDraftApproval(context, caller, draft, form);
}

async function takeToolApproval(
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
    return toChangedPage("The tool", `/tools/${encodeURIComponent(name)}?${query.toString()}`);
  }
  const missing = await tryFindMissingCredentials(context, caller, name);
  return toDonePage(`Version ${version} of ${name} is approved.`, missing);
}

async function takeDraftApproval(
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
    return toChangedPage("The draft", `/drafts/${encodeURIComponent(id)}?${query.toString()}`);
  }
  return toDonePage("The draft is approved. Run it again.");
}

/** What the person ticked, by credential. */
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
