/* oxlint-disable typescript/unbound-method -- methods are captured unbound on purpose, to be called through `uncurry` */
// Runs in the tool's own isolate and calls the tool. Captures everything that it uses before the tool's module is
// evaluated, because the tool may replace any global or prototype.
import { WorkerEntrypoint } from "cloudflare:workers";
import { flushProgress, format, newRun, progress, setLoader, within } from "toolhost-console.js";
import { askFor } from "toolhost-ask.js";
import { authorization } from "toolhost-authorization.js";
import { filesFor } from "toolhost-files.js";
import { isChildFailure, toolsFor } from "toolhost-tools.js";

const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const { parse, stringify } = JSON;
const { create, freeze, keys, defineProperty, setPrototypeOf } = Object;
const { get: reflectGet } = Reflect;
const ProxyOf = Proxy;
const { min, max } = Math;
const ResponseOf = Response;
const ErrorOf = Error;
const getter = (of, name) => uncurry(Object.getOwnPropertyDescriptor(of, name).get);
const methodOf = getter(Request.prototype, "method");
const headersOf = getter(Request.prototype, "headers");
const HeadersGet = uncurry(Headers.prototype.get);
const Abort = AbortController;
const abort = uncurry(AbortController.prototype.abort);
const readText = uncurry(Request.prototype.text);
const encode = uncurry(TextEncoder.prototype.encode);
const encoder = new TextEncoder();
const indexOf = uncurry(String.prototype.indexOf);
const slice = uncurry(String.prototype.slice);
const split = uncurry(String.prototype.split);
const startsWith = uncurry(String.prototype.startsWith);
const filter = uncurry(Array.prototype.filter);
const join = uncurry(Array.prototype.join);
const later = setTimeout;
const forget = clearTimeout;
const text = String;

const MESSAGE_CHARS = 8_000;
const STACK_CHARS = 16_000;
/** Longer output is sent as a stream. */
const MAX_MESSAGE_CHARS = 1_000_000;
/** The length of a request ID of the dispatcher. */
const ID_CHARS = 36;

let loading;
function load(run) {
  if (loading === undefined) {
    setLoader(run);
    loading = importTool();
  }
  return loading;
}

// Never rejects, because the rejection of a prewarmed module would be unhandled until its run starts.
async function importTool() {
  try {
    const module = await import("tool.js");
    if (typeof module.default === "function") return { __proto__: null, tool: module.default };
    const message = `The tool's default export must be a function, and is ${kind(module.default)}`;
    return { __proto__: null, failure: plain("Error", message, "") };
  } catch (error) {
    return { __proto__: null, failure: describe(error) };
  }
}

function kind(value) {
  return value === undefined ? "missing" : value === null ? "null" : `of type ${typeof value}`;
}

/** What a run returns: its outcome, and text or bytes. Without a prototype, so that a tool cannot give it a `then`. */
function answer(outcome, body) {
  return { __proto__: null, outcome, body };
}

function toResponse({ outcome, body }) {
  const headers = { __proto__: null, "x-outcome": outcome };
  return new ResponseOf(body, { __proto__: null, headers });
}

function plain(name, message, stack) {
  return { __proto__: null, name, message: slice(message, 0, MESSAGE_CHARS), stack };
}

function failed(failure) {
  return answer("failed", stringify(failure));
}

/** Describes a thrown value in plain strings. Its getters may throw. */
function describe(error) {
  try {
    if (
      error === null ||
      typeof error !== "object" ||
      !(error instanceof ErrorOf || "message" in error)
    ) {
      const message = `The tool threw ${typeof error === "string" ? error : format([error])}`;
      return plain("", message, "");
    }
    const stack = slice(toolFrames(error.stack), 0, STACK_CHARS);
    const failure = plain(slice(text(error.name), 0, 200), text(error.message), stack);
    failure.denied = isDenied(error, 0);
    return failure;
  } catch {
    return plain("", "The tool threw a value that cannot be read", "");
  }
}

function toolFrames(stack) {
  if (typeof stack !== "string") return "";
  const lines = split(stack, "\n");
  return join(
    filter(lines, (line) => indexOf(line, "toolhost-") < 0),
    "\n",
  );
}

// The second is workerd's error for a raw connection.
const DENIALS = ["egress_denied:", "proxy request failed, cannot connect"];

function isDenied(error, depth) {
  if (error === null || typeof error !== "object" || depth > 4) return false;
  // A child run was denied, not this one.
  if (isChildFailure(error)) return false;
  if (error.code === "egress_denied") return true;
  const { message } = error;
  if (typeof message === "string") {
    for (let i = 0; i < DENIALS.length; i++) if (startsWith(message, DENIALS[i])) return true;
  }
  return isDenied(error.cause, depth + 1);
}

/** Creates the signal on first access, because its timer prevents workerd from detecting a hung run. */
function lazySignal(wallMs, cleanups) {
  let controller;
  return () => {
    if (controller === undefined) {
      controller = new Abort();
      const marginMs = min(1_000, max(100, wallMs / 10));
      const timer = later(() => {
        abort(controller, new ErrorOf("The run is about to reach its time limit"));
      }, wallMs - marginMs);
      cleanups.timer = timer;
    }
    return controller.signal;
  };
}

function unavailable(name) {
  return async () => {
    throw new ErrorOf(`${name} is not available on this server`);
  };
}

function context(meta, run, cleanups) {
  const credentials = create(null);
  const names = keys(meta.credentials);
  // An index loop, because an earlier run of the tool may have replaced the array iterator.
  for (let i = 0; i < names.length; i++) credentials[names[i]] = meta.credentials[names[i]];
  const signal = lazySignal(meta.wallMs, cleanups);
  const ctx = {
    runId: meta.runId,
    credentials: freeze(credentials),
    progress: (fraction, message) => progress(run, fraction, message),
    authorization,
    files: freeze(filesFor(meta.services ?? [], unavailable)),
    tools: freeze(toolsFor(meta.services ?? [], unavailable)),
    ask: askFor(meta.services ?? [], unavailable),
  };
  defineProperty(ctx, "signal", { enumerable: true, get: signal });
  return freeze(ctx);
}

function invalid(message) {
  return answer("invalid", stringify(plain("", message, "")));
}

/** The first BigInt or cycle in a value that `stringify` rejected, with its path. */
function unserializablePart(value, path, seen) {
  if (typeof value === "bigint") return `a BigInt at ${path}`;
  if (value === null || typeof value !== "object" || seen.length > 100) return undefined;
  for (let i = 0; i < seen.length; i++) if (seen[i] === value) return `a cycle at ${path}`;
  seen[seen.length] = value;
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    const found = unserializablePart(value[names[i]], `${path}.${names[i]}`, seen);
    if (found !== undefined) return found;
  }
  seen.length -= 1;
  return undefined;
}

function output(value, limit) {
  if (value === undefined || value === null) return answer("completed", "null");
  if (typeof value === "function" || typeof value === "symbol") {
    return invalid(`The tool returned a ${typeof value}, which cannot be serialized as JSON`);
  }
  let json;
  try {
    json = stringify(value);
  } catch (error) {
    return unserializable(value, error);
  }
  if (json === undefined) return answer("completed", "null");
  // A character has at most three bytes.
  if (json.length * 3 <= min(limit, MAX_MESSAGE_CHARS)) return answer("completed", json);
  if (json.length > limit) return answer("too_large", "");
  const bytes = encode(encoder, json);
  return bytes.length > limit ? answer("too_large", "") : answer("completed", bytes);
}

function unserializable(value, error) {
  const failure = describe(error);
  // Text that exceeds the length of a JavaScript string is too large, not unserializable.
  if (failure.name === "RangeError" && failure.message === "Invalid string length") {
    return answer("too_large", "");
  }
  let found;
  try {
    found = unserializablePart(value, "output", []);
  } catch {}
  const reason = found === undefined ? failure.message : `it contains ${found}`;
  return invalid(`The tool's output cannot be serialized as JSON: ${reason}`);
}

async function call(run, meta, inputJson) {
  const loaded = await load(run);
  if (loaded.failure !== undefined) return failed(loaded.failure);
  const cleanups = { __proto__: null, timer: undefined };
  try {
    const ctx = context(meta, run, cleanups);
    const value = await within(run, () => (0, loaded.tool)(parse(inputJson), ctx));
    // `toJSON` methods are code of the tool, too.
    return within(run, () => output(value, meta.outputBytes));
  } catch (error) {
    return failed(describe(error));
  } finally {
    if (cleanups.timer !== undefined) forget(cleanups.timer);
    flushProgress(run);
  }
}

// A prewarmed module's evaluation and the run that takes it share one log limit.
let prewarmed;

/** Runs the tool with a message: a line of JSON about the run, and the input. */
async function runMessage(message) {
  const end = indexOf(message, "\n");
  const meta = parse(slice(message, 0, end));
  const run = prewarmed ?? newRun(meta.logNonce, meta.logBytes);
  const answered = await call(run, meta, slice(message, end + 1));
  answered.hasWritten = run.hasWritten;
  return answered;
}

/** The text of an answer: whether the run has written lines, its outcome and its body. Long bodies are streamed instead. */
async function runCall(message) {
  const answered = await runMessage(message);
  const { outcome, body, hasWritten } = answered;
  if (typeof body !== "string") return toResponse(answered);
  return `${hasWritten ? "+" : "-"}${outcome}\n${body}`;
}

// The dispatcher calls a method whose name is the ID of its request, so that it recognizes the end of the request. The name
// never reaches code of the tool.
const methods = new ProxyOf(WorkerEntrypoint.prototype, {
  __proto__: null,
  get: (target, name, receiver) =>
    typeof name === "string" && name.length === ID_CHARS
      ? runCall
      : reflectGet(target, name, receiver),
});

class Wrapper extends WorkerEntrypoint {
  async fetch(request) {
    if (methodOf(request) === "GET") {
      if (loading !== undefined) return new ResponseOf(null);
      const headers = headersOf(request);
      prewarmed = newRun(HeadersGet(headers, "x-log-nonce"), +HeadersGet(headers, "x-log-bytes"));
      await load(prewarmed);
      return new ResponseOf(null);
    }
    return toResponse(await runMessage(await readText(request)));
  }
}

// The tool can import this module, and must not be able to intercept the dispatcher's requests.
setPrototypeOf(Wrapper.prototype, methods);
freeze(Wrapper.prototype);
freeze(Wrapper);
export default Wrapper;
