import { credentialDraft } from "@toolhost/contract";
import { html } from "hono/html";
import type { Hono, Context as HonoContext } from "hono";
import { authenticateSession, requireScope } from "#core/access";
import type { Caller } from "#core/access";
import type { Context } from "#core/context";
import { createCredential } from "#core/credentials";
import { ServiceError } from "#core/errors";
import { approveTool, getApprovals, getTool } from "#core/tools";
import type { Door } from "#rest";
import { leadOn } from "./ask-sign-in.ts";
import type { PageRequest } from "./ask-sign-in.ts";
import { orProblemPage } from "./consent.ts";
import { alert, hidden } from "./fields.ts";
import { readForm } from "./form.ts";
import { toPage } from "./page.ts";
import { signInPath, withNext } from "./sign-in.ts";

const addPath = "/credentials";
const approvePath = "/approvals";

/** The pages to which whoever lacks a credential, or an approval of one, is led: by REST, agents and chat alike. */
export function mountCredentialPages(door: Hono<Door>, context: Context): void {
  door.get(addPath, (c, next) => {
    if (c.req.query("connect") === undefined) return next();
    c.set("route", addPath);
    return orProblemPage(() => showAdd(context, asked(c)));
  });
  door.post(addPath, (c) => {
    c.set("route", addPath);
    return orProblemPage(() => takeAdd(context, asked(c)));
  });
  door.get("/tools/:name", (c, next) => {
    if (c.req.query("approve") === undefined) return next();
    c.set("route", "/tools/{name}");
    return orProblemPage(() => showApproval(context, asked(c), c.req.param("name")));
  });
  door.post(approvePath, (c) => {
    c.set("route", approvePath);
    return orProblemPage(() => takeApproval(context, asked(c)));
  });
}

function asked(c: HonoContext<Door>): PageRequest {
  return { request: c.req.raw, origin: c.get("origin") };
}

/** The person of the browser in the workspace asked for; undefined when they have to sign in first. */
async function findCaller(
  context: Context,
  { request, origin }: PageRequest,
  workspaceId: string | null,
): Promise<Caller | undefined> {
  if ((await context.people.findSession(request.headers)) === undefined) return undefined;
  const caller = await authenticateSession(
    context,
    request.headers,
    workspaceId ?? undefined,
    origin,
  );
  requireScope(caller, "credentials:write");
  return caller;
}

/** The person who sent a form, in the workspace that the page was about. */
async function requireCaller(
  context: Context,
  page: PageRequest,
  form: URLSearchParams,
): Promise<Caller> {
  const caller = await findCaller(context, page, form.get("workspace"));
  if (caller !== undefined) return caller;
  throw new ServiceError("forbidden", "You are no longer signed in. Open the link again.");
}

type Wanted = { name: string; tool: string; workspace: string; hosts: string; why: string };

async function showAdd(context: Context, page: PageRequest): Promise<Response> {
  const { searchParams, pathname, search } = new URL(page.request.url);
  const workspace = searchParams.get("workspace");
  const caller = await findCaller(context, page, workspace);
  if (caller === undefined) return leadOn(withNext(signInPath, pathname + search));
  const name = searchParams.get("connect") ?? "";
  const tool = searchParams.get("tool") ?? "";
  const declared = await findDeclared(context, caller, name, tool);
  return toAdd(caller, { name, tool, workspace: caller.workspaceId, ...declared });
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

function toAdd(caller: Caller, wanted: Wanted, problem?: string): Promise<Response> {
  const { name, tool, workspace, hosts, why } = wanted;
  const mayShare = caller.role === "owner" || caller.role === "admin";
  const body = html`<h1>Add ${name}</h1>
    ${tool === "" ? "" : html`<p>The tool ${tool} needs it.</p>`}
    ${why === "" ? "" : html`<p class="soft">${why}</p>`} ${alert(problem)}
    <form method="post" action="${addPath}">
      ${hidden("name", name)} ${hidden("tool", tool)} ${hidden("workspace", workspace)}
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
          mayShare
            ? html`<label
                ><input type="radio" name="owner" value="workspace" />
                <span>Everybody in the workspace</span></label
              >`
            : ""
        }
      </fieldset>
      <p class="soft">
        It is kept encrypted, shown to nobody, and sent to these hosts alone. Tools never see it.
      </p>
      <button type="submit">Save</button>
    </form>`;
  return toPage({ title: `Add ${name}`, body, status: problem === undefined ? 200 : 422 });
}

async function takeAdd(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const text = (name: string) => form.get(name) ?? "";
  const caller = await requireCaller(context, page, form);
  const wanted = { name: text("name"), tool: text("tool"), hosts: text("hosts"), why: "" };
  const shown = { ...wanted, workspace: caller.workspaceId };
  const draft = credentialDraft.safeParse({
    name: wanted.name,
    value: text("value"),
    owner: text("owner"),
    hosts: splitHosts(wanted.hosts),
  });
  if (!draft.success) {
    return toAdd(caller, shown, problemOf(draft.error.issues[0], wanted.hosts));
  }
  try {
    await createCredential(context, caller, draft.data);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "unavailable") throw error;
    return toAdd(caller, shown, error.message);
  }
  return toDone(`${wanted.name} is saved. Run the tool again; you may close this window.`);
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

async function showApproval(context: Context, page: PageRequest, name: string): Promise<Response> {
  const { searchParams, pathname, search } = new URL(page.request.url);
  const caller = await findCaller(context, page, searchParams.get("workspace"));
  if (caller === undefined) return leadOn(withNext(signInPath, pathname + search));
  const owner = searchParams.get("owner") === "workspace" ? "workspace" : "user";
  const { version, approvals } = await getApprovals(context, caller, name);
  const mine = approvals.find((approval) => approval.owner === owner);
  if (mine === undefined || mine.covered) return toDone("There is nothing left to approve.");
  const whose = owner === "workspace" ? "the workspace's" : "your";
  const { credentials, allowedHosts } = mine.new;
  const body = html`<h1>Approve ${name}?</h1>
    <p>Version ${version} asks for more than was approved of ${whose} credentials:</p>
    <dl>
      ${credentials.map(
        ({ name: credential, hosts, expose }) =>
          html`<dt>${credential}${expose ? ", which its code would see" : ""}</dt>
            <dd>${hosts.length === 0 ? "at the same hosts" : hosts.join(", ")}</dd>`,
      )}
      ${
        allowedHosts.length === 0
          ? ""
          : html`<dt>Hosts that it reaches besides</dt>
              <dd>${allowedHosts.join(", ")}</dd>`
      }
    </dl>
    <form method="post" action="${approvePath}">
      ${hidden("tool", name)} ${hidden("version", String(version))} ${hidden("owner", owner)}
      ${hidden("workspace", caller.workspaceId)}
      <button type="submit">Approve version ${version}</button>
    </form>`;
  return toPage({ title: `Approve ${name}`, body });
}

async function takeApproval(context: Context, page: PageRequest): Promise<Response> {
  const form = await readForm(context, page.request);
  const caller = await requireCaller(context, page, form);
  const name = form.get("tool") ?? "";
  const owner = form.get("owner") === "workspace" ? "workspace" : "user";
  // The version that was on the page, so that nobody approves what they did not see.
  await approveTool(context, caller, name, { version: Number(form.get("version")), owner });
  return toDone(`${name} is approved. Run it again; you may close this window.`);
}

function toDone(message: string): Promise<Response> {
  const body = html`<h1>Done</h1>
    <p role="status">${message}</p>`;
  return toPage({ title: "Done", body });
}
