/* oxlint-disable no-console -- standard output is the channel to the service */
// The trusted isolate of a sandbox process. Only this isolate can load code, and only it accepts requests from the
// service, over a unix socket that tool isolates cannot address.
import { WorkerEntrypoint } from "cloudflare:workers";
import ASK from "ask.txt";
import AUTHORIZATION from "authorization.txt";
import CONSOLE from "console.txt";
import FILES from "files.txt";
import TOOLS from "tools.txt";
import WRAPPER from "wrapper.txt";

const ERROR = "x-toolhost-error";
const MESSAGE = "x-toolhost-error-message";
const ISOLATE = "x-toolhost-isolate";

/**
 * The only network access of a tool isolate. Overwrites the header that identifies the isolate, so that the tool cannot
 * set it. Deliberately has no `connect` handler: one that throws makes a raw connection look open at first.
 */
export class Egress extends WorkerEntrypoint {
  async fetch(request) {
    const headers = new Headers(request.headers);
    headers.set(ISOLATE, this.ctx.props.isolate);
    const response = await this.env.EGRESS.fetch(new Request(request, { headers }));
    const kind = response.headers.get(ERROR);
    if (kind !== null) throw egressError(kind, decodeURIComponent(response.headers.get(MESSAGE)));
    return response;
  }
}

// The error's name and code are preserved when it is thrown into the tool's isolate.
function egressError(kind, message) {
  if (kind !== "denied") {
    const failure = new TypeError(message);
    // Nothing of the request was sent.
    if (kind === "unreachable") failure.code = "host_unreachable";
    return failure;
  }
  const error = new Error(message);
  error.name = "EgressDenied";
  error.code = "egress_denied";
  return error;
}

const REQUEST = "x-toolhost-request";
const LOG_HEADERS = ["x-log-nonce", "x-log-bytes"];

/** Runs whose requests to tool isolates have not ended, by request IDs that no tool ever sees. */
const open = new Map();

/**
 * Receives the end of every request to a tool isolate, after all leftover work of the tool (`waitUntil`). When the last
 * request of a run has ended, the dispatcher reports that to the service.
 */
export class Ends extends WorkerEntrypoint {
  tail(traces) {
    for (const { event } of traces) {
      close(event?.rpcMethod ?? event?.request?.getUnredacted().headers[REQUEST]);
    }
  }
}

function close(id) {
  const asked = open.get(id);
  if (asked === undefined) return;
  open.delete(id);
  for (const other of open.values()) if (other === asked) return;
  console.log(`${asked.nonce} ${asked.isAsked ? "idle" : "loaded"}`);
}

/** Registers a request on behalf of a run, and returns its ID. */
function register(asked) {
  const id = crypto.randomUUID();
  open.set(id, asked);
  return id;
}

/** Sends a request to a tool isolate on behalf of a run. */
function ask(tool, asked, path, { headers, ...init }) {
  if (path === "/run") asked.isAsked = true;
  const id = register(asked);
  return tool.fetch(`http://tool${path}`, { ...init, headers: { ...headers, [REQUEST]: id } });
}

/** Modules by code ID. The service sends them before a run refers to them. */
const modules = new Map();

function definition(codeId, isolate, ctx) {
  const module = modules.get(codeId);
  if (module === undefined) throw new Error("The service has not sent this code");
  return {
    compatibilityDate: "2026-11-01",
    compatibilityFlags: ["nodejs_compat"],
    mainModule: "toolhost-wrapper.js",
    modules: {
      "toolhost-wrapper.js": WRAPPER,
      "toolhost-console.js": CONSOLE,
      "toolhost-ask.js": ASK,
      "toolhost-authorization.js": AUTHORIZATION,
      "toolhost-files.js": FILES,
      "toolhost-tools.js": TOOLS,
      "tool.js": module,
    },
    env: {},
    globalOutbound: ctx.exports.Egress({ props: { isolate } }),
    tails: [ctx.exports.Ends({ props: {} })],
  };
}

async function run(request, env, ctx) {
  const headers = request.headers;
  const codeId = headers.get("x-code");
  const nonce = headers.get("x-nonce");
  const name = headers.get("x-isolate");
  const asked = { nonce, isAsked: false };
  try {
    const stub =
      name === null
        ? env.LOADER.load(definition(codeId, nonce, ctx))
        : env.LOADER.get(name, () => definition(codeId, name, ctx));
    const tool = stub.getEntrypoint();
    if (headers.has("x-prewarm")) {
      // The nonce of the dispatcher's lines must not reach the isolate.
      const given = Object.fromEntries(LOG_HEADERS.map((header) => [header, headers.get(header)]));
      await ask(tool, asked, "/load", { headers: given });
      // The service sends the body when a run takes this isolate.
      const body = await request.text();
      return await ask(tool, asked, "/run", { method: "POST", body });
    }
    return await ask(tool, asked, "/run", { method: "POST", body: request.body });
  } catch (error) {
    return new Response(reportOf(error), { headers: { "x-outcome": "broken" } });
  } finally {
    // This thread writes it after everything that the tool wrote before its response.
    console.log(`${nonce} end`);
  }
}

function reportOf(error) {
  return JSON.stringify({ name: error?.name, message: error?.message });
}

/**
 * Serves runs in reused isolates over a WebSocket, one after the other. A message is a line with the code ID, nonce, isolate and
 * maximum output of a run, and then what its isolate gets. The answer is `+` if the isolate has written lines or `-`, then
 * the outcome, a line end and the body.
 */
function openChannel(env, ctx) {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.addEventListener("message", async ({ data }) => {
    const end = data.indexOf("\n");
    const [codeId, nonce, isolate, maxBytes] = data.slice(0, end).split(" ");
    const answer = await callTool(
      { codeId, nonce, isolate, maxBytes },
      data.slice(end + 1),
      env,
      ctx,
    );
    // This thread writes it after everything that the tool wrote before its answer.
    if (!answer.startsWith("-")) console.log(`${nonce} end`);
    server.send(answer);
  });
  return new Response(null, { status: 101, webSocket: client });
}

async function callTool({ codeId, nonce, isolate, maxBytes }, message, env, ctx) {
  try {
    const stub = env.LOADER.get(isolate, () => definition(codeId, isolate, ctx));
    const id = register({ nonce, isAsked: true });
    const answer = await stub.getEntrypoint()[id](message);
    if (typeof answer === "string") return answer;
    if (!(answer instanceof Response)) throw new Error("The isolate answered without text");
    return await readAnswer(answer, Number(maxBytes));
  } catch (error) {
    return `+broken\n${reportOf(error)}`;
  }
}

/** Long output. The isolate limits it as well, but a tool may replace its response. */
async function readAnswer({ headers, body }, maxBytes) {
  const decoder = new TextDecoder();
  let text = `+${headers.get("x-outcome")}\n`;
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return "+too_large\n";
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

export default {
  async fetch(request, env, ctx) {
    if (request.headers.has("upgrade")) return openChannel(env, ctx);
    if (request.method !== "PUT") return run(request, env, ctx);
    modules.set(request.headers.get("x-code"), await request.text());
    return new Response(null, { status: 204 });
  },
};
