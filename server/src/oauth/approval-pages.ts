import type { CredentialOwner } from "@toolhost/contract";
import { html } from "hono/html";
import type { Hono } from "hono";
import { mayDo } from "#core/access";
import type { Caller } from "#core/access";
import type { Context } from "#core/context";
import { approveDraftContent, getDraftApprovals } from "#core/drafts";
import { ServiceError } from "#core/errors";
import { approveTool, getApprovals } from "#core/tools";
import type { Door } from "#rest";
import { needsBlock, toDonePage, toolBlock } from "./approval-blocks.ts";
import { leadOn } from "./ask-sign-in.ts";
import type { PageRequest } from "./ask-sign-in.ts";
import { orProblemPage } from "./consent.ts";
import { hidden } from "./fields.ts";
import { readForm } from "./form.ts";
import { findPageCaller, pageRequestOf, requirePageCaller, seenBy } from "./page-caller.ts";
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
        toToolApproval(context, caller, c.req.param("name"), ownerOf(query)),
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

/** The page that shows what a tool's live version asks for beyond what was approved; `note` comes first. */
export async function toToolApproval(
  context: Context,
  caller: Caller,
  name: string,
  owner: CredentialOwner,
  note?: string,
): Promise<Response> {
  const shown = await getApprovals(context, caller, name);
  const { tool, version, wanted, approvals } = shown;
  const mine = approvals.find((approval) => approval.owner === owner);
  if (mine === undefined || mine.covered) return toDonePage("There is nothing left to approve.");
  const whose = owner === "workspace" ? "the workspace’s" : "your";
  const isFirst = mine.approved === null;
  const body = html`<h1>Approve ${tool.title}?</h1>
    ${note === undefined ? "" : html`<p role="status">${note}</p>`} ${toolBlock(shown)}
    <p>
      ${
        isFirst
          ? `It asks for ${whose} credentials:`
          : `It asks for more than was approved of ${whose} credentials:`
      }
    </p>
    ${needsBlock(mine.new)}
    ${
      !tool.workspace.isOwn && wanted.credentials.some(({ expose }) => expose)
        ? html`<p>
            Tools of other workspaces never see a value, so this version will not run even when it
            is approved.
          </p>`
        : ""
    }
    <form method="post" action="${approvePath}">
      ${hidden("tool", name)} ${hidden("version", String(version))} ${hidden("owner", owner)}
      ${seenBy(caller)}
      <button type="submit">Approve version ${version}</button>
    </form>
    <p class="soft">
      Later versions that ask for the same or less need no approval. You can withdraw it on the
      tool’s page.
    </p>`;
  return toPage({ title: `Approve ${tool.title}`, body });
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
    ${needsBlock(wanted)}
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
  // The version or revision that was on the page, so that nobody approves what they did not see.
  if (draft !== null) {
    await approveDraftContent(context, caller, draft, { revision: Number(form.get("revision")) });
    return toDonePage("The draft is approved. Run it again; you may close this window.");
  }
  const name = form.get("tool") ?? "";
  const version = Number(form.get("version"));
  await approveTool(context, caller, name, { version, owner: ownerOf(form) });
  return toDonePage(`${name} is approved. Run it again; you may close this window.`);
}
