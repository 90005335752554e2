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
import type { AppEnv } from "#rest";
import { explainIssue } from "#lib/explain-issue";
import { needsSection, toDonePage, toolSection } from "./approval-sections.ts";
import { mountApprovalPages, toToolApproval } from "./approval-pages.ts";
import { redirectTo } from "./auth-client.ts";
import type { PageRequest } from "./auth-client.ts";
import { credentialMessages } from "./credential-messages.ts";
import { exposableField, showExpose, submitExpose } from "./expose-page.ts";
import { alert, hidden } from "./fields.ts";
import { findPageCaller, pageRequestOf, requirePageCaller, callerFields } from "./page-caller.ts";
import type { Html } from "./page.ts";
import { toPage } from "./page.ts";
import { serverSignInForm, serverSignInPath } from "./server-sign-in-form.ts";
import type { FormParts } from "./server-sign-in-form.ts";
import { orProblemPage } from "./problem-page.ts";
import { readForm } from "./read-form.ts";
import { signInPath, withNext } from "./sign-in.ts";

const texts = credentialMessages.add;

const addPath = "/credentials";

/** The pages linked from `credentials_missing`: adding a credential, and approving its use by a tool. */
export function mountCredentialPages(app: Hono<AppEnv>, context: Context): void {
  app.get(addPath, (c, next) => {
    const isExpose = c.req.query("expose") !== undefined;
    if (c.req.query("connect") === undefined && !isExpose) return next();
    c.set("route", addPath);
    const show = isExpose ? showExpose : showAdd;
    return orProblemPage(() => show(context, pageRequestOf(c)));
  });
  app.post(addPath, (c) => {
    c.set("route", addPath);
    return orProblemPage(() => submitAdd(context, pageRequestOf(c)));
  });
  app.post(serverSignInPath, (c) => {
    c.set("route", serverSignInPath);
    return orProblemPage(() => submitSignIn(context, pageRequestOf(c)));
  });
  app.post("/credentials/expose", (c) => {
    c.set("route", "/credentials/expose");
    return orProblemPage(() => submitExpose(context, pageRequestOf(c)));
  });
  mountApprovalPages(app, context);
}

/** The parameters of a link to the page, or of its form. */
type AddParameters = { name: string; tool: string; version: string; draft: string };

type AddPage = AddParameters & {
  hosts: string;
  description: string;
  /** The MCP server at which users sign in to get the credential. */
  resource: string | undefined;
  /** A tool of this workspace requests the value itself. */
  isExposed: boolean;
  /** The version that saving also approves, and its new needs. */
  approval: { shown: ToolApprovals; more: ApprovalNeeds } | undefined;
};

function parametersOf(values: URLSearchParams, name: string): AddParameters {
  const text = (key: string) => values.get(key) ?? "";
  return { name, tool: text("tool"), version: text("version"), draft: text("draft") };
}

async function showAdd(context: Context, page: PageRequest): Promise<Response> {
  const { searchParams, pathname, search } = new URL(page.request.url);
  const caller = await findPageCaller(context, page, searchParams.get("workspace"));
  if (caller === undefined) return redirectTo(withNext(signInPath, pathname + search));
  const parameters = parametersOf(searchParams, searchParams.get("connect") ?? "");
  return toAdd(caller, await findAddPage(context, caller, parameters));
}

/** The page with what the tool or the draft declares about the credential. */
async function findAddPage(
  context: Context,
  caller: Caller,
  parameters: AddParameters,
): Promise<AddPage> {
  const undeclared = {
    ...parameters,
    hosts: "",
    description: "",
    resource: undefined,
    isExposed: false,
    approval: undefined,
  };
  if (parameters.draft !== "") {
    const { requested } = await getDraftApprovals(context, caller, parameters.draft);
    return { ...undeclared, ...declaredIn(requested, parameters.name) };
  }
  if (parameters.tool === "") return undeclared;
  const shown = await getApprovals(context, caller, parameters.tool);
  const { credentials } = await getTool(context, caller, parameters.tool);
  const { hosts, isExposed } = declaredIn(shown.requested, parameters.name);
  const more = parameters.version === "" ? undefined : newOf(caller, shown);
  const declared = credentials.find(({ name }) => name === parameters.name);
  return {
    ...undeclared,
    hosts,
    description: declared?.description ?? "",
    resource: declared?.resource,
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

/** What saving approves, for the owners that the caller can choose. */
function newOf({ role }: Caller, { approvals }: ToolApprovals): ApprovalNeeds {
  const mayShare = mayDo(role, "credentials:share");
  const open = approvals.filter(({ owner, covered }) => !covered && (owner === "user" || mayShare));
  return joinNeeds(open.map((approval) => approval.new));
}

function toAdd(caller: Caller, page: AddPage, problem?: string): Promise<Response> {
  const { name, description, resource, approval } = page;
  const intro = html`<h1>${texts.title(name)}</h1>
    ${description === "" ? "" : html`<p class="soft">${description}</p>`} ${alert(problem)}`;
  const fields = html`${hidden("name", name)} ${callerFields(caller)} ${hidden("tool", page.tool)}
  ${hidden("draft", page.draft)}`;
  const owners = ownerFields(caller);
  const approving = approval === undefined ? html`` : approvalPart(approval);
  const version = approval?.shown.version;
  const body =
    resource === undefined
      ? html`${intro} ${valueForm(page, { fields, owners, approving })}`
      : html`${intro} ${serverSignInForm({ resource, version }, { fields, owners, approving })}
          <details>
            <summary>${texts.enterValue}</summary>
            ${valueForm(page, { fields, owners, approving })}
          </details>`;
  return toPage({ title: texts.title(name), body, status: problem === undefined ? 200 : 422 });
}

function valueForm(
  { hosts, approval, isExposed }: AddPage,
  { fields, owners, approving }: FormParts,
): Html {
  return html`<form method="post" action="${addPath}">
    ${fields}
    <div class="ui-field">
      <label class="ui-label" for="value">${texts.value}</label>
      <input
        class="ui-input"
        id="value"
        name="value"
        type="password"
        autocomplete="off"
        required
        minlength="4"
      />
    </div>
    <div class="ui-field">
      <label class="ui-label" for="hosts">${texts.hosts}</label>
      <textarea class="ui-input code" id="hosts" name="hosts" rows="3" required spellcheck="false">
${hosts}</textarea>
    </div>
    ${owners} ${approving} ${isExposed ? exposableField() : ""}
    <p class="soft">${texts.storage}</p>
    <button type="submit" class="ui-button primary wide">
      ${approval === undefined ? texts.save : texts.saveAndApprove(approval.shown.version)}
    </button>
  </form>`;
}

function ownerFields({ role }: Caller): Html {
  return html`<fieldset>
    <legend class="ui-label">${texts.owner}</legend>
    <label class="ui-choice"
      ><input class="ui-mark" type="radio" name="owner" value="user" checked />
      <span>${texts.onlyYou}</span></label
    >
    ${
      mayDo(role, "credentials:share")
        ? html`<label class="ui-choice"
            ><input class="ui-mark" type="radio" name="owner" value="workspace" />
            <span>${texts.workspace}</span></label
          >`
        : ""
    }
  </fieldset>`;
}

function approvalPart({ shown, more }: NonNullable<AddPage["approval"]>): Html {
  const { tool, version } = shown;
  return html`<h2>${texts.alsoApproves(version, tool.title)}</h2>
    ${toolSection(shown)} ${needsSection(more, shown.requested)}
    ${hidden("version", String(version))}`;
}

async function submitAdd(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const text = (name: string) => form.get(name) ?? "";
  const caller = await requirePageCaller(context, page, form);
  const name = text("name");
  const { tool, version, ...parameters } = parametersOf(form, name);
  const approve = version === "" ? undefined : { tool, version: Number(version) };
  const input = {
    name,
    value: text("value"),
    owner: text("owner"),
    hosts: splitHosts(text("hosts")),
    exposable: form.has("exposable"),
    approve,
  };
  const parsed = createCredentialInput.safeParse(input, { error: explainIssue });
  const showProblem = async (problem: string) => {
    const shown = await findAddPage(context, caller, { ...parameters, tool, version });
    return toAdd(caller, { ...shown, hosts: text("hosts") }, problem);
  };
  if (!parsed.success) return showProblem(problemOf(parsed.error.issues[0], text("hosts")));
  try {
    const { approved } = await createCredential(context, caller, parsed.data);
    if (approved !== false) {
      const also = approve && credentialMessages.approval.approved(approve.version, approve.tool);
      const missing = tool === "" ? [] : await tryFindMissingCredentials(context, caller, tool);
      return toDonePage([texts.saved(name), also].join(" ").trim(), missing);
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "unavailable") throw error;
    return showProblem(error.message);
  }
  const note = texts.savedButChanged(name);
  return toToolApproval(context, caller, tool, parsed.data.owner, { note });
}

/** Creates a connection to the server that the tool declares, and leads to the sign-in. */
async function submitSignIn(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const caller = await requirePageCaller(context, page, form);
  const parameters = parametersOf(form, form.get("name") ?? "");
  const shown = await findAddPage(context, caller, parameters);
  const input = {
    name: shown.name,
    owner: form.get("owner"),
    oauth2: { resource: shown.resource },
    approve:
      parameters.version === "" ? undefined : { tool: shown.tool, version: Number(shown.version) },
  };
  const parsed = createCredentialInput.safeParse(input, { error: explainIssue });
  if (!parsed.success) return toAdd(caller, shown, problemOf(parsed.error.issues[0], ""));
  try {
    const { connectUrl = "" } = await createCredential(context, caller, parsed.data);
    // The page before the redirect, because forms may not lead to other sites.
    return redirectTo(`${new URL(connectUrl).pathname}?ask`);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "unavailable") throw error;
    return toAdd(caller, shown, error.message);
  }
}

type Issue = { path: readonly PropertyKey[]; message: string };

/** The problem of a field, with the name that the page shows. */
function problemOf(issue: Issue | undefined, hosts: string): string {
  const [field, index] = issue?.path ?? [];
  if (field === "value") return texts.valueLength;
  if (field !== "hosts") return `${String(field)}: ${issue?.message}.`;
  const host = splitHosts(hosts)[Number(index)];
  return host === undefined ? texts.noHosts : `${host} ${issue?.message}.`;
}

function splitHosts(hosts: string): string[] {
  return hosts.split(/\s+/).filter((host) => host !== "");
}
