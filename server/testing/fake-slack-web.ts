import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Problem } from "./fake-slack-blocks.ts";
import { callMethod } from "./fake-slack-methods.ts";
import { limitRate } from "./fake-slack-rates.ts";
import { takeResponse } from "./fake-slack-responses.ts";
import type { FakeResponseUrl } from "./fake-slack-responses.ts";
import { issueSocketUrl } from "./fake-slack-socket.ts";
import type { FakeSocket } from "./fake-slack-socket.ts";
import type { FakeTeam } from "./fake-slack-team.ts";

/** A fault of some calls of a method. */
type Fault = {
  method: string;
  times: number;
  /** Only calls for this channel. */
  channel?: string;
  /** Only calls with this argument. */
  argument?: string;
  status?: number;
  error?: string;
  retryAfterSeconds?: number;
  delayMs?: number;
  /** The call takes effect, and only the response is delayed or lost. */
  isDone?: boolean;
};

/** The state of the fake. */
export type FakeState = {
  baseUrl: string;
  client: { id: string; secret: string };
  teams: Map<string, FakeTeam>;
  codes: Map<string, { team: FakeTeam; redirectUri: string; scope: string }>;
  calls: { method: string; teamId: string | undefined; at: number; args: Record<string, string> }[];
  faults: Fault[];
  socket: FakeSocket;
  /** The URLs for responses, by their path. */
  responseUrls: Map<string, FakeResponseUrl>;
  /** Whether Slack's rate limits apply. Most tests do without, because they wait for nothing. */
  hasRateLimits: boolean;
  /** The calls that Slack refused because of a fault in the client. A test fails when there is one. */
  refusals: string[];
};

/** Issues a token for a team's bot and revokes the previous one. */
function installApp(team: FakeTeam, scope: string): string {
  team.token = `xoxb-${randomUUID()}`;
  team.scopes = new Set(scope.split(",")).difference(team.withheldScopes);
  return team.token;
}

/** Serves Slack's Web API, its consent page and its file host. */
export async function answerSlack(
  state: FakeState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", state.baseUrl);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (url.pathname === "/oauth/v2/authorize") return authorize(state, url, response);
  if (url.pathname.startsWith("/upload/")) return takeUpload(state, url, body, response);
  if (url.pathname.startsWith("/files/")) return giveFile(state, request, url, response);
  if (url.pathname.startsWith("/actions/")) return answerResponse(state, url, body, response);
  const method = url.pathname.replace(/^\/api\//, "");
  if (method === "apps.connections.open") {
    const issued = issueSocketUrl(state.socket, request, state.baseUrl);
    const answer = typeof issued === "string" ? { ok: false, error: issued } : issued;
    return say(response, { ok: true, ...answer });
  }
  const team = findTeam(state, request);
  const args = Object.fromEntries(new URLSearchParams(body.toString()));
  state.calls.push({ method, teamId: team?.id, at: Date.now(), args });
  // Only an installation has no token; others are for users or for the app.
  const isBotToken = request.headers.authorization?.startsWith("Bearer xoxb-") === true;
  if (method !== "oauth.v2.access" && !isBotToken) {
    state.refusals.push(`${method}: not_allowed_token_type`);
  }
  const isLimited = state.hasRateLimits;
  const waitSeconds = team === undefined ? 0 : limitRate(team, method, { args, isLimited });
  if (waitSeconds > 0) {
    const limited = { method, times: 0, status: 429, error: "ratelimited" };
    return sayFault({ ...limited, retryAfterSeconds: waitSeconds }, response);
  }
  const fault = state.faults.find(
    (one) =>
      one.method === method &&
      one.times > 0 &&
      (one.channel === undefined || one.channel === args["channel"]) &&
      (one.argument === undefined || args[one.argument] !== undefined),
  );
  if (fault !== undefined) fault.times -= 1;
  const fails = fault !== undefined && (fault.status !== undefined || fault.error !== undefined);
  const pause = () => sleep(fault?.delayMs ?? 0);
  if (fault?.isDone !== true) await pause();
  if (fails && fault.isDone !== true) return sayFault(fault, response);
  const result = work(state, { method, args, team, request });
  if (fault?.isDone === true) await pause();
  if (fails) return sayFault(fault, response);
  if (typeof result === "string") return say(response, { ok: false, error: result });
  if (isProblem(result)) {
    state.refusals.push(`${method}: ${result.error}: ${result.why}`);
    return say(response, { ok: false, error: result.error });
  }
  return say(response, { ok: true, ...result });
}

function isProblem(result: object): result is Problem {
  return "error" in result && "why" in result;
}

type Asked = {
  method: string;
  args: Record<string, string>;
  team: FakeTeam | undefined;
  request: IncomingMessage;
};

function work(
  state: FakeState,
  { method, args, team, request }: Asked,
): ReturnType<typeof callMethod> {
  if (method === "oauth.v2.access") return giveToken(state, args);
  if (team !== undefined) return callMethod(team, method, args, state.baseUrl);
  return request.headers.authorization === undefined ? "not_authed" : "invalid_auth";
}

function findTeam({ teams }: FakeState, request: IncomingMessage): FakeTeam | undefined {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
  return token === undefined ? undefined : [...teams.values()].find((team) => team.token === token);
}

function authorize({ teams, codes, client }: FakeState, url: URL, response: ServerResponse): void {
  const { searchParams: asked } = url;
  // The `team` parameter selects the team; by default it is the newest one.
  const team = teams.get(asked.get("team") ?? "") ?? [...teams.values()].at(-1);
  const redirectUri = asked.get("redirect_uri") ?? "";
  if (team === undefined || asked.get("client_id") !== client.id) {
    response.writeHead(400).end("invalid");
    return;
  }
  const code = randomUUID();
  codes.set(code, { team, redirectUri, scope: asked.get("scope") ?? "" });
  const back = new URL(redirectUri);
  back.searchParams.set("code", code);
  back.searchParams.set("state", asked.get("state") ?? "");
  response.writeHead(302, { location: back.href }).end();
}

function giveToken({ codes, client }: FakeState, args: Record<string, string>) {
  const found = codes.get(args["code"] ?? "");
  codes.delete(args["code"] ?? "");
  if (args["client_id"] !== client.id || args["client_secret"] !== client.secret) {
    return "bad_client_secret";
  }
  if (found === undefined) return "invalid_code";
  const { team, redirectUri, scope } = found;
  if (args["redirect_uri"] !== redirectUri) return "bad_redirect_uri";
  return {
    access_token: installApp(team, scope),
    token_type: "bot",
    scope: [...team.scopes].join(","),
    bot_user_id: team.botUserId,
    app_id: "A0TEST",
    team: { id: team.id, name: team.name },
    enterprise: team.isOfOrganization ? { id: "E0TEST", name: "All teams" } : null,
    is_enterprise_install: team.isOfOrganization,
  };
}

function findFile({ teams }: FakeState, url: URL) {
  const id = url.pathname.split("/")[2] ?? "";
  for (const team of teams.values()) {
    const file = team.files.get(id);
    if (file !== undefined) return { team, file };
  }
  return undefined;
}

function takeUpload(state: FakeState, url: URL, body: Buffer, response: ServerResponse): void {
  const found = findFile(state, url);
  if (found !== undefined) found.file.body = body;
  response.writeHead(found === undefined ? 404 : 200).end("OK");
}

function giveFile(
  state: FakeState,
  request: IncomingMessage,
  url: URL,
  response: ServerResponse,
): void {
  const found = findFile(state, url);
  if (found === undefined || findTeam(state, request) !== found.team) {
    response.writeHead(302, { location: `${state.baseUrl}/login` }).end();
    return;
  }
  if (found.file.movedTo !== undefined) {
    response.writeHead(302, { location: found.file.movedTo }).end();
    return;
  }
  response.writeHead(200, { "content-type": found.file.mimetype }).end(found.file.body);
}

function answerResponse(state: FakeState, url: URL, body: Buffer, response: ServerResponse): void {
  const fault = state.faults.find(({ method, times }) => method === "response_url" && times > 0);
  if (fault !== undefined) {
    fault.times -= 1;
    sayFault(fault, response);
    return;
  }
  const answered = takeResponse(state.teams, state.responseUrls.get(url.pathname), body);
  if (answered.refusal !== undefined) state.refusals.push(answered.refusal);
  say(response, answered.body, answered.status);
}

function sayFault({ status = 200, error, retryAfterSeconds }: Fault, response: ServerResponse) {
  const headers =
    retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  say(response, { ok: false, error: error ?? "internal_error" }, status, headers);
}

function say(
  response: ServerResponse,
  body: object,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
