import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scopes } from "@toolhost/contract";
import type { RawCreateToolInput } from "@toolhost/contract";
import { createApiCall } from "../../server/testing/api-call.ts";
import type { ApiCall } from "../../server/testing/api-call.ts";
import { cookieAt, copyDataDir, findTemplate } from "../../server/testing/template.ts";
import { createDatabase, dialect } from "./database.ts";
import { createCall } from "./http.ts";
import type { Answer, Call } from "./http.ts";
import { endService, spawnService, whenReady } from "./service-process.ts";
import type { Exit, ReadyService } from "./service-process.ts";
import { enter, readFirstRun } from "./sign-in.ts";
import { until } from "./until.ts";

/** A running service with separate data, and a key and a session with all permissions. */
export type Server = {
  readonly baseUrl: string;
  readonly process: ReadyService;
  readonly dataDir: string;
  readonly workDir: string;
  readonly settings: Record<string, string>;
  readonly apiKey: string;
  readonly cookie: string;
  readonly workspaceId: string;
  /** The owner's email address and password. */
  readonly person: { email: string; password: string };
  /** Calls REST with the key that has all scopes. */
  call: Call;
  /** Calls REST with that key, typed by route, and returns the response body. Throws for an error response. */
  api: ApiCall;
  /** Calls REST with the owner's session, as the console does. */
  callAsOwner: Call;
  /** Calls REST with another key. */
  callWithKey(key: string): Call;
  createKey(draft: object): Promise<{ id: string; key: string }>;
  /** Saves a tool with this code and returns its name. */
  makeTool(code: string, rest?: Partial<RawCreateToolInput>): Promise<string>;
  /** Runs a tool and waits until it has ended, or for the longest possible wait. */
  run(tool: string, input?: unknown): Promise<Answer>;
  /** Waits until a run has ended and returns its record. */
  finished(runId: string): Promise<Answer["body"]>;
  end(signal: NodeJS.Signals): Promise<Exit>;
  /** Restarts the service with the same data, and with changed settings if given. */
  startAgain(settings?: Record<string, string>): Promise<void>;
  /** Stops the service and deletes its files. A database on the test server remains. */
  leave(): Promise<void>;
  /** Stops the service if it is running, and deletes its data. */
  stop(): Promise<void>;
};

/** The service's environment, if it differs from that of the test. */
type Place = {
  /** DATA_DIR as this process sees it. */
  dataDir?: string;
  /** A command that starts the service, such as in a namespace. */
  launcher?: readonly string[];
  /** Whether to start with empty data instead of a copy of the template. */
  isFirst?: boolean;
};

const usual = {
  PORT: "0",
  SANDBOX_IDLE_PROCESSES: "1",
  SHUTDOWN_GRACE_MS: "500",
  AUDIT_SEAL_INTERVAL_MS: "200",
  // Tests send more requests than clients; the limits have separate tests.
  RATE_LIMIT_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_RUNS_PER_MINUTE: "0",
  RATE_LIMIT_USER_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_USER_RUNS_PER_MINUTE: "0",
  RATE_LIMIT_WORKSPACE_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_WORKSPACE_RUNS_PER_MINUTE: "0",
  RATE_LIMIT_ANONYMOUS_REQUESTS_PER_MINUTE: "0",
  RATE_LIMIT_BUILDS_PER_MINUTE: "0",
  RATE_LIMIT_SIGN_INS_PER_MINUTE: "0",
  RATE_LIMIT_REGISTRATIONS_PER_MINUTE: "0",
  RATE_LIMIT_TOKEN_REQUESTS_PER_MINUTE: "0",
};

/** Starts a service with the database of the test run. */
export async function startServer(
  settings: Record<string, string> = {},
  { launcher, isFirst = false, ...place }: Place = {},
): Promise<Server> {
  const workDir = await mkdtemp(join(tmpdir(), "toolhost-e2e-"));
  const dataDir = place.dataDir ?? join(workDir, "data");
  const template = isFirst ? undefined : await findTemplate(settings);
  if (template !== undefined) await copyDataDir(template, dataDir);
  const database = await createDatabase(template);
  const all = {
    ...usual,
    DATA_DIR: dataDir,
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    ...settings,
  };
  let service = spawnService(workDir, all, launcher);
  const leave = async () => {
    await endService(service, "SIGTERM");
    await rm(workDir, { recursive: true, force: true });
  };
  const cleanUp = async () => {
    await endService(service, "SIGTERM");
    await database?.drop();
    await leave();
  };
  try {
    let ready = await whenReady(service);
    const signedIn = template?.owner ?? (await signInAsOwner(ready.baseUrl, dataDir));
    const { cookie: ownCookie, ...signIn } = signedIn;
    const cookieNow = () => cookieAt(ownCookie, ready.baseUrl);
    const accessors = {
      get baseUrl() {
        return ready.baseUrl;
      },
      get cookie() {
        return cookieNow();
      },
      get process() {
        return ready;
      },
    };
    return Object.assign(accessors, {
      dataDir,
      workDir,
      settings: all,
      ...signIn,
      ...createCalls(() => ready.baseUrl, { ...signIn, cookie: cookieNow }),
      end: (signal: NodeJS.Signals) => endService(ready, signal),
      startAgain: async (changed: Record<string, string> = {}) => {
        service = spawnService(workDir, { ...all, ...changed }, launcher);
        ready = await whenReady(service);
      },
      leave,
      stop: cleanUp,
    });
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

function createCalls(
  baseUrl: () => string,
  { apiKey, cookie }: Pick<SignIn, "apiKey"> & { cookie: () => string },
) {
  const callWithKey = (key: string) =>
    createCall(baseUrl, () => ({ authorization: `Bearer ${key}` }));
  const call = callWithKey(apiKey);
  const callAsOwner = createCall(baseUrl, () => ({ cookie: cookie(), origin: baseUrl() }));
  return {
    call,
    api: createApiCall(call),
    callAsOwner,
    callWithKey,
    createKey: async (draft: object) => {
      const { body } = expectStatus(201, await callAsOwner("POST", "/api-keys", draft));
      return { id: String(body.id), key: String(body.key) };
    },
    makeTool: async (code: string, rest?: Partial<RawCreateToolInput>) => {
      const answer = await call("POST", "/tools", { ...draftOf(code), ...rest });
      return String(expectStatus(201, answer).body.name);
    },
    run: (tool: string, input: unknown = {}) =>
      call("POST", `/run/${tool}`, input, { prefer: "wait=55" }),
    finished: (runId: string) =>
      until(`run ${runId} has ended`, 60_000, async () => {
        const { body } = expectStatus(200, await call("GET", `/runs/${runId}`));
        return body.status !== "running" && body;
      }),
  };
}

/** The definition of a tool that takes and returns any object. */
export function draftOf(code: string): RawCreateToolInput {
  return {
    title: "Test tool",
    description: "A tool of a test.",
    inputSchema: { type: "object" },
    source: { language: "typescript", code },
  };
}

/** Returns the response if it has the status. Otherwise throws an error that shows it. */
export function expectStatus(status: number, answer: Answer): Answer {
  if (answer.status !== status) {
    throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text.slice(0, 2_000)}`);
  }
  return answer;
}

type SignIn = {
  cookie: string;
  workspaceId: string;
  apiKey: string;
  person: { email: string; password: string };
};

/** With the embedded database, the owner is in first-run.json. Otherwise the first user to sign up is the owner. */
async function signInAsOwner(baseUrl: string, dataDir: string): Promise<SignIn> {
  if (dialect !== "sqlite") return signUpOwner(baseUrl);
  const { email, password } = await readFirstRun(dataDir);
  const person = { email, password };
  return makeKey(baseUrl, await enter(baseUrl, "sign-in", person), person);
}

/** Signs up as the owner of an empty server, and creates a key with all scopes. */
export async function signUpOwner(baseUrl: string): Promise<SignIn> {
  const person = { email: "ada@example.com", password: "a long pass phrase", name: "Ada" };
  return makeKey(baseUrl, await enter(baseUrl, "sign-up", person), person);
}

async function makeKey(baseUrl: string, cookie: string, person: SignIn["person"]): Promise<SignIn> {
  const call = createCall(
    () => baseUrl,
    () => ({ cookie, origin: baseUrl }),
  );
  const me = expectStatus(200, await call("GET", "/me"));
  const draft = { name: "Everything", scopes: Object.keys(scopes) };
  const key = expectStatus(201, await call("POST", "/api-keys", draft));
  return {
    cookie,
    person,
    workspaceId: String(me.body.workspace.id),
    apiKey: String(key.body.key),
  };
}

/** Creates an empty folder below the server's folder. */
export async function makeFolder(server: Server, name: string): Promise<string> {
  const folder = join(server.workDir, name);
  await mkdir(folder, { recursive: true });
  return folder;
}
