import { credentialDraft } from "@toolhost/contract";
import type { ToolApprovals } from "@toolhost/contract";
import { html } from "hono/html";
import type { Hono } from "hono";
import { mayDo } from "#core/access";
import type { Caller } from "#core/access";
import type { Context } from "#core/context";
import { createCredential } from "#core/credentials";
import { ServiceError } from "#core/errors";
import { getApprovals, getTool } from "#core/tools";
import type { Door } from "#rest";
import { needsBlock, toDonePage, toolBlock } from "./approval-blocks.ts";
import { mountApprovalPages, toToolApproval } from "./approval-pages.ts";
import { leadOn } from "./ask-sign-in.ts";
import type { PageRequest } from "./ask-sign-in.ts";
import { orProblemPage } from "./consent.ts";
import { exposableField, showExpose, takeExpose } from "./expose-page.ts";
import { alert, hidden } from "./fields.ts";
import { readForm } from "./form.ts";
import { findPageCaller, pageRequestOf, requirePageCaller, seenBy } from "./page-caller.ts";
import type { Html } from "./page.ts";
import { toPage } from "./page.ts";
import { signInPath, withNext } from "./sign-in.ts";

const addPath = "/credentials";

/** The pages to which whoever lacks a credential, or an approval of one, is led: by REST, agents and chat alike. */
export function mountCredentialPages(door: Hono<Door>, context: Context): void {
  door.get(addPath, (c, next) => {
    const isExpose = c.req.query("expose") !== undefined;
    if (c.req.query("connect") === undefined && !isExpose) return next();
    c.set("route", addPath);
    const show = isExpose ? showExpose : showAdd;
    return orProblemPage(() => show(context, pageRequestOf(c)));
  });
  door.post(addPath, (c) => {
    c.set("route", addPath);
    return orProblemPage(() => takeAdd(context, pageRequestOf(c)));
  });
  door.post("/credentials/expose", (c) => {
    c.set("route", "/credentials/expose");
    return orProblemPage(() => takeExpose(context, pageRequestOf(c)));
  });
  mountApprovalPages(door, context);
}

type Wanted = {
  name: string;
  hosts: string;
  why: string;
  isExposable: boolean;
  /** What saving approves as well. */
  approval: ToolApprovals | undefined;
};

async function showAdd(context: Context, page: PageRequest): Promise<Response> {
  const { searchParams, pathname, search } = new URL(page.request.url);
  const workspace = searchParams.get("workspace");
  const caller = await findPageCaller(context, page, workspace);
  if (caller === undefined) return leadOn(withNext(signInPath, pathname + search));
  const name = searchParams.get("connect") ?? "";
  const tool = searchParams.get("tool") ?? "";
  const declared = await findDeclared(context, caller, name, tool);
  // A link that names no version is about the value alone, as for a draft of the tool.
  const approval = searchParams.has("version")
    ? await findApproval(context, caller, tool)
    : undefined;
  const wanted = { name, isExposable: false, approval };
  return toAdd(caller, { ...wanted, ...declared });
}

/** What the tool says of the credential; nothing when no tool is named. */
async function findDeclared(context: Context, caller: Caller, name: string, toolName: string) {
  if (toolName === "") return { hosts: "", why: "" };
  const tool = await getTool(context, caller, toolName);
  const wanted = tool.credentials.find((credential) => credential.name === name);
  const hosts =
    wanted === undefined || wanted.hosts.length === 0 ? tool.allowedHosts : wanted.hosts;
  return { hosts: hosts.join("\n"), why: wanted?.description ?? "" };
}

async function findApproval(
  context: Context,
  caller: Caller,
  tool: string,
): Promise<ToolApprovals | undefined> {
  return tool === "" ? undefined : getApprovals(context, caller, tool);
}

function toAdd(caller: Caller, wanted: Wanted, problem?: string): Promise<Response> {
  const { name, hosts, why, approval, isExposable } = wanted;
  const body = html`<h1>Add ${name}</h1>
    ${why === "" ? "" : html`<p class="soft">${why}</p>`} ${alert(problem)}
    <form method="post" action="${addPath}">
      ${hidden("name", name)} ${seenBy(caller)}
      <label for="value">Value, such as a key or a token</label>
      <input id="value" name="value" type="password" autocomplete="off" required minlength="4" />
      <label for="hosts">Hosts that it may be sent to, one a line</label>
      <textarea id="hosts" name="hosts" rows="3" required spellcheck="false">${hosts}</textarea>
      <fieldset>
        <legend>Who uses it</legend>
        <label
          ><input type="radio" name="owner" value="user" checked /> <span>Only you</span></label
        >
        ${
          mayDo(caller.role, "credentials:share")
            ? html`<label
                ><input type="radio" name="owner" value="workspace" />
                <span>Everybody in the workspace</span></label
              >`
            : ""
        }
      </fieldset>
      ${exposableField(isExposable)} ${approval === undefined ? "" : approvalPart(approval)}
      <p class="soft">It is stored encrypted, shown to nobody, and sent to these hosts alone.</p>
      <button type="submit">
        ${approval === undefined ? "Save" : `Save and approve version ${approval.version}`}
      </button>
    </form>`;
  return toPage({ title: `Add ${name}`, body, status: problem === undefined ? 200 : 422 });
}

function approvalPart(approval: ToolApprovals): Html {
  const { tool, version, wanted } = approval;
  return html`<h2>This also approves version ${version} of ${tool.title}</h2>
    ${toolBlock(approval)} ${needsBlock(wanted)} ${hidden("tool", tool.name)}
    ${hidden("version", String(version))}`;
}

async function takeAdd(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const text = (name: string) => form.get(name) ?? "";
  const caller = await requirePageCaller(context, page, form);
  const tool = text("tool");
  const approve = tool === "" ? undefined : { tool, version: Number(text("version")) };
  const name = text("name");
  const draft = credentialDraft.safeParse({
    name,
    value: text("value"),
    owner: text("owner"),
    hosts: splitHosts(text("hosts")),
    exposable: form.has("exposable"),
    approve,
  });
  const refuse = async (problem: string) =>
    toAdd(
      caller,
      {
        name,
        hosts: text("hosts"),
        why: "",
        isExposable: form.has("exposable"),
        approval: await findApproval(context, caller, tool),
      },
      problem,
    );
  if (!draft.success) return refuse(problemOf(draft.error.issues[0], text("hosts")));
  try {
    const { approved } = await createCredential(context, caller, draft.data);
    if (approve === undefined) {
      return toDonePage(`${name} is saved. Run the tool again; you may close this window.`);
    }
    if (approved === true) {
      const also = `Version ${approve.version} of ${approve.tool} is approved.`;
      return toDonePage(`${name} is saved. ${also} Run the tool again; you may close this window.`);
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "unavailable") throw error;
    return refuse(error.message);
  }
  const note = `${name} is saved. The tool changed while the page was open, so nothing was approved.`;
  return toToolApproval(context, caller, tool, draft.data.owner, note);
}

type Issue = { path: readonly PropertyKey[]; message: string };

/** What is wrong, at the field as the page calls it. */
function problemOf(issue: Issue | undefined, hosts: string): string {
  const [field, index] = issue?.path ?? [];
  if (field === "value") return "The value needs at least 4 characters, and at most 16384.";
  if (field !== "hosts") return `${String(field)}: ${issue?.message}.`;
  const host = splitHosts(hosts)[Number(index)];
  return host === undefined ? "Name at least one host." : `${host} ${issue?.message}.`;
}

function splitHosts(hosts: string): string[] {
  return hosts.split(/\s+/).filter((host) => host !== "");
}
