import { createCredentialInput } from "@toolhost/contract";
import type { ApprovalNeeds, ToolApprovals } from "@toolhost/contract";
import { html } from "hono/html";
import type { Hono } from "hono";
import { mayDo, ServiceError } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { getApprovals, getTool, hasNoNeeds, joinNeeds } from "#core/catalog";
import type { Context } from "#core/context";
import { createCredential } from "#core/vault";
import { getDraftApprovals } from "#core/drafts";
import { tryFindMissingCredentials } from "#core/runs";
import type { Door } from "#rest";
import { explainIssue } from "#lib/explain-issue";
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

/** What an address, or the form on the page, says. */
type Asked = { name: string; tool: string; version: string; draft: string };

type Wanted = Asked & {
  hosts: string;
  why: string;
  /** The tool, which is of this workspace, asks to read the value. */
  isExposed: boolean;
  /** The version that saving approves as well, and what is new in it. */
  approval: { shown: ToolApprovals; more: ApprovalNeeds } | undefined;
};

function askedBy(values: URLSearchParams, name: string): Asked {
  const text = (key: string) => values.get(key) ?? "";
  return { name, tool: text("tool"), version: text("version"), draft: text("draft") };
}

async function showAdd(context: Context, page: PageRequest): Promise<Response> {
  const { searchParams, pathname, search } = new URL(page.request.url);
  const caller = await findPageCaller(context, page, searchParams.get("workspace"));
  if (caller === undefined) return leadOn(withNext(signInPath, pathname + search));
  const asked = askedBy(searchParams, searchParams.get("connect") ?? "");
  return toAdd(caller, await findWanted(context, caller, asked));
}

/** What the tool or the draft of an address says of the credential. */
async function findWanted(context: Context, caller: Caller, asked: Asked): Promise<Wanted> {
  const nothing = { ...asked, hosts: "", why: "", isExposed: false, approval: undefined };
  if (asked.draft !== "") {
    const { wanted } = await getDraftApprovals(context, caller, asked.draft);
    return { ...nothing, ...declaredIn(wanted, asked.name) };
  }
  if (asked.tool === "") return nothing;
  const shown = await getApprovals(context, caller, asked.tool);
  const { credentials } = await getTool(context, caller, asked.tool);
  const { hosts, isExposed } = declaredIn(shown.wanted, asked.name);
  const more = asked.version === "" ? undefined : newOf(caller, shown);
  return {
    ...nothing,
    hosts,
    why: credentials.find(({ name }) => name === asked.name)?.description ?? "",
    isExposed: isExposed && shown.tool.workspace.isOwn,
    approval: more === undefined || hasNoNeeds(more) ? undefined : { shown, more },
  };
}

function declaredIn({ credentials, allowedHosts }: ApprovalNeeds, name: string) {
  const { hosts, expose } = credentials.find((one) => one.name === name) ?? {
    hosts: ["*"],
    expose: false,
  };
  return { hosts: (hosts.includes("*") ? allowedHosts : hosts).join("\n"), isExposed: expose };
}

/** What saving would approve for those whose credential it may become. */
function newOf({ role }: Caller, { approvals }: ToolApprovals): ApprovalNeeds {
  const mayShare = mayDo(role, "credentials:share");
  const open = approvals.filter(({ owner, covered }) => !covered && (owner === "user" || mayShare));
  return joinNeeds(open.map((approval) => approval.new));
}

function toAdd(caller: Caller, wanted: Wanted, problem?: string): Promise<Response> {
  const { name, hosts, why, approval, isExposed } = wanted;
  const body = html`<h1>Add ${name}</h1>
    ${why === "" ? "" : html`<p class="soft">${why}</p>`} ${alert(problem)}
    <form method="post" action="${addPath}">
      ${hidden("name", name)} ${seenBy(caller)} ${hidden("tool", wanted.tool)}
      ${hidden("draft", wanted.draft)}
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
      ${approval === undefined ? "" : approvalPart(approval)} ${isExposed ? exposableField() : ""}
      <p class="soft">It is stored encrypted, shown to nobody, and sent to these hosts alone.</p>
      <button type="submit">
        ${approval === undefined ? "Save" : `Save and approve version ${approval.shown.version}`}
      </button>
    </form>`;
  return toPage({ title: `Add ${name}`, body, status: problem === undefined ? 200 : 422 });
}

function approvalPart({ shown, more }: NonNullable<Wanted["approval"]>): Html {
  const { tool, version } = shown;
  return html`<h2>This also approves version ${version} of ${tool.title}</h2>
    ${toolBlock(shown)} ${needsBlock(more, shown.wanted)} ${hidden("version", String(version))}`;
}

async function takeAdd(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const text = (name: string) => form.get(name) ?? "";
  const caller = await requirePageCaller(context, page, form);
  const name = text("name");
  const { tool, version, ...asked } = askedBy(form, name);
  const approve = version === "" ? undefined : { tool, version: Number(version) };
  const written = {
    name,
    value: text("value"),
    owner: text("owner"),
    hosts: splitHosts(text("hosts")),
    exposable: form.has("exposable"),
    approve,
  };
  const draft = createCredentialInput.safeParse(written, { error: explainIssue });
  const refuse = async (problem: string) => {
    const wanted = await findWanted(context, caller, { ...asked, tool, version });
    return toAdd(caller, { ...wanted, hosts: text("hosts") }, problem);
  };
  if (!draft.success) return refuse(problemOf(draft.error.issues[0], text("hosts")));
  try {
    const { approved } = await createCredential(context, caller, draft.data);
    if (approved !== false) {
      const also = approve && `Version ${approve.version} of ${approve.tool} is approved.`;
      const missing = tool === "" ? [] : await tryFindMissingCredentials(context, caller, tool);
      return toDonePage([`${name} is saved.`, also].join(" ").trim(), missing);
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "unavailable") throw error;
    return refuse(error.message);
  }
  const note = `${name} is saved. The tool changed while the page was open, so nothing was approved.`;
  return toToolApproval(context, caller, tool, draft.data.owner, { note });
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
