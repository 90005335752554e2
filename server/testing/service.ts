import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RawCreateToolInput } from "@toolhost/contract";
import { sql } from "kysely";
import { readConfig } from "#config";
import { newId } from "#lib/ids";
import { startService } from "../src/start.ts";
import type { Service } from "../src/start.ts";
import { createApiCall } from "./api-call.ts";
import type { ApiCall } from "./api-call.ts";
import { cookieAt, copyDataDir, createDatabase, findTemplate } from "./template.ts";

/** A real service with its own database, a signed-in owner and a key with all scopes. */
export type TestService = {
  service: Service;
  baseUrl: string;
  workspaceId: string;
  apiKey: string;
  cookie: string;
  /** The owner's sign-in. */
  person: { email: string; password: string };
  /** Calls REST with the key and a new Idempotency-Key, unless `init` overrides them. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Calls REST with the key, typed by route, and returns the response body. Throws for a refusal. */
  api: ApiCall;
  /** Like `call`, as the signed-in owner. */
  callAsOwner(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Creates a tool with this code and returns its name. */
  makeTool(code: string, rest?: Partial<RawCreateToolInput>): Promise<string>;
  /** Adds a user to a workspace, and returns their API key. */
  addPerson(workspaceId: string, role: string): Promise<{ userId: string; apiKey: string }>;
  /** Adds a signed-in user to a workspace, with calls that use their session. */
  addSignedIn(workspaceId: string | undefined, role: string): Promise<SignedIn>;
  addWorkspace(): Promise<string>;
  /** Stops the service and starts another with the same settings; `meanwhile` is called in between. */
  restart(meanwhile?: () => void): Promise<void>;
  stop(): Promise<void>;
};

/** A user with a session. */
export type SignedIn = {
  userId: string;
  email: string;
  password: string;
  cookie: string;
  call: TestService["call"];
};

/** A response with its body parsed, if it is JSON. */
type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // Tests read responses of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
};

/** Tests send more requests than a client should. The limits have separate tests. */
const withoutRates = {
  RATE_LIMIT_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_RUNS_PER_MINUTE: "0",
  RATE_LIMIT_USER_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_USER_RUNS_PER_MINUTE: "0",
  RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE: "0",
  RATE_LIMIT_ANONYMOUS_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_BUILDS_PER_MINUTE: "0",
  RATE_LIMIT_SIGN_INS_PER_MINUTE: "0",
  RATE_LIMIT_FAILED_SIGN_INS_PER_MINUTE: "0",
  RATE_LIMIT_MAILS_PER_MINUTE: "0",
  RATE_LIMIT_REGISTRATIONS_PER_MINUTE: "0",
  RATE_LIMIT_TOKEN_REQUESTS_PER_MINUTE: "0",
};

/** Starts a service on the database of the test run (`TEST_DIALECT`). */
export async function startTestService(
  settings: Record<string, string> = {},
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), "toolhost-test-"));
  const template = await findTemplate(settings);
  if (template !== undefined) await copyDataDir(template, dataDir);
  const database = await createDatabase(template);
  let service = await startService(
    readConfig({
      PORT: "0",
      DATA_DIR: dataDir,
      LOG_LEVEL: "fatal",
      SANDBOX_IDLE_PROCESSES: "1",
      SHUTDOWN_GRACE_MS: "1000",
      AUDIT_SEAL_INTERVAL_MS: "200",
      ...withoutRates,
      ...(database === undefined ? {} : { DATABASE_URL: database.url }),
      ...npmVariables(),
      ...settings,
    }),
  );
  const { baseUrl } = service.context.config;
  const signedIn = template?.owner ?? (await signIn(service));
  const owner = { ...signedIn, cookie: cookieAt(signedIn.cookie, baseUrl) };
  const call = caller(baseUrl, { authorization: `Bearer ${owner.apiKey}` });
  const callAsOwner = caller(baseUrl, { cookie: owner.cookie });
  return {
    get service() {
      return service;
    },
    baseUrl,
    ...owner,
    call,
    api: createApiCall(call),
    callAsOwner,
    makeTool: async (code, rest) => {
      const created = await call("POST", "/tools", { ...draftOf(code), ...rest });
      if (created.status !== 201) throw new Error(created.text);
      return String(created.body.name);
    },
    addPerson: (workspaceId, role) => addPerson(service, workspaceId, role),
    addSignedIn: (workspaceId, role) => addSignedIn(service, owner.person, { workspaceId, role }),
    addWorkspace: () => addWorkspace(service),
    restart: async (meanwhile = () => undefined) => {
      await service.stop();
      meanwhile();
      service = await startService(service.context.config);
    },
    stop: async () => {
      await service.stop();
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The settings for the package registry of this machine. */
function npmVariables(): Record<string, string | undefined> {
  const names = Object.keys(process.env).filter((name) => /^npm_config_/i.test(name));
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** A draft of a tool that accepts and returns any object. */
export function draftOf(code: string): RawCreateToolInput {
  return {
    title: "Test tool",
    description: "A tool of a test.",
    inputSchema: { type: "object" },
    source: { language: "typescript", code },
  };
}

function caller(baseUrl: string, identity: Record<string, string>): TestService["call"] {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        ...identity,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json(?:;|$)/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as unknown) : undefined,
    };
  };
}

async function signIn({ context, firstStart }: Service) {
  const { baseUrl } = context.config;
  const person = {
    email: firstStart?.email ?? "ada@example.com",
    password: firstStart?.password ?? "correct horse",
  };
  // With a database server there is no first start: the first user to sign up owns the server.
  if (firstStart === undefined) {
    await askAuth(baseUrl, "sign-up/email", { ...person, name: "Ada" });
  }
  const cookie = cookiesOf(await askAuth(baseUrl, "sign-in/email", person));
  const call = caller(baseUrl, { cookie });
  const me = await call("GET", "/me");
  const key = await call("POST", "/api-keys", {
    name: "Everything",
    scopes: ["mcp:read", "mcp:execute", "tools:write", "credentials:write", "audit:read"],
  });
  return {
    cookie,
    person,
    workspaceId: String(me.body.workspace.id),
    apiKey: String(key.body.key),
  };
}

async function askAuth(baseUrl: string, path: string, body: object): Promise<Response> {
  const response = await fetch(`${baseUrl}/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: baseUrl },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${await response.text()}`);
  return response;
}

/** The cookies that a browser would send after a response. */
function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .filter((line) => !/max-age=0/i.test(line))
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** All users share the owner's password hash, because hashing a password takes longer than most tests. */
async function addSignedIn(
  { context }: Service,
  owner: TestService["person"],
  { workspaceId, role }: { workspaceId: string | undefined; role: string },
): Promise<SignedIn> {
  const { kysely } = context.db;
  const { baseUrl } = context.config;
  const userId = await insertUser(context);
  await sql`
    insert into accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    select ${newId()}, ${userId}, ${userId}, provider_id, password, accounts.created_at, accounts.updated_at
    from accounts join users on users.id = accounts.user_id
    where users.email = ${owner.email} and provider_id = 'credential'`.execute(kysely);
  if (workspaceId !== undefined) await insertMember(context, { workspaceId, userId, role });
  const person = { email: emailOf(userId), password: owner.password };
  const cookie = cookiesOf(await askAuth(baseUrl, "sign-in/email", person));
  return { userId, ...person, cookie, call: caller(baseUrl, { cookie }) };
}

async function addWorkspace({ context }: Service): Promise<string> {
  const id = newId();
  await context.db.kysely
    .insertInto("workspaces")
    .values({ id, name: "Other", slug: id, created_at: Date.now(), tools_revision: 0 })
    .execute();
  return id;
}

const emailOf = (userId: string) => `${userId}@example.com`;

/** Creates a user with a verified email address. */
async function insertUser({ db }: Service["context"]): Promise<string> {
  const id = newId();
  const at = db.dialect === "postgres" ? new Date() : new Date().toISOString();
  const person = { id, name: "Someone", email: emailOf(id), created_at: at, updated_at: at };
  await db.kysely
    .insertInto("users")
    // The columns of the sign-in library are not part of the schema.
    .values({ ...person, email_verified: db.dialect === "postgres" ? true : 1 } as never)
    .execute();
  return id;
}

type Membership = { workspaceId: string; userId: string; role: string };

async function insertMember(
  { db }: Service["context"],
  { workspaceId: workspace_id, userId: user_id, role }: Membership,
): Promise<void> {
  const member = { id: newId(), workspace_id, user_id, role, created_at: Date.now() };
  await db.kysely.insertInto("members").values(member).execute();
}

async function addPerson({ context }: Service, workspaceId: string, role: string) {
  const userId = await insertUser(context);
  await insertMember(context, { workspaceId, userId, role });
  const { createApiKey } = await import("#core/identity");
  const { scopesOfRole } = await import("#core/kernel");
  const scopes = scopesOfRole(role);
  const { key } = await createApiKey(
    context,
    {
      userId,
      workspaceId,
      role: "member",
      scopes,
      actor: { userId },
      via: "rest",
      requestId: newId(),
      ip: null,
    },
    { name: "Test key", scopes: [...scopes] },
  );
  return { userId, apiKey: key };
}
