/* oxlint-disable typescript/unbound-method -- methods are captured unbound on purpose, to be called through `uncurry` */
/* oxlint-disable no-console -- this is the console of the tool */
// Replaces the isolate's console, before the tool's module is evaluated, by one that writes lines
// the service can attribute. Whatever the tool uses here later is captured now, so that a tool
// which replaces globals breaks neither its log nor this code.
import { AsyncLocalStorage } from "node:async_hooks";

const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const write = console.log.bind(console);
const now = Date.now;
const builtin = process.getBuiltinModule.bind(process);
const slice = uncurry(String.prototype.slice);
const repeat = uncurry(String.prototype.repeat);
const includes = uncurry(String.prototype.includes);
const replaceAll = uncurry(String.prototype.replaceAll);
const mapGet = uncurry(Map.prototype.get);
const mapSet = uncurry(Map.prototype.set);
const mapDelete = uncurry(Map.prototype.delete);
const MapOf = Map;
const text = String;
const ErrorOf = Error;

/** Lines kept of one run, however short: each costs the service more than its bytes. */
const MAX_LINES = 10_000;
/** Characters of one line; a single dump must not crowd out the rest. */
const MAX_LINE_CHARS = 65_536;

/** Which run the running code belongs to; timers and promises left behind keep their own. */
const storage = new AsyncLocalStorage();
const currentRun = storage.getStore.bind(storage);
export const within = storage.run.bind(storage);

/** What a run's console calls need: whose lines they are, and how many more bytes are kept. */
export function newRun(nonce, logBytes) {
  return {
    nonce,
    left: logBytes,
    lines: MAX_LINES,
    full: logBytes <= 0,
    group: 0,
    burst: 20,
    refilledAt: now(),
    pending: "",
  };
}

// Module evaluation happens outside of any run, on behalf of the first one.
let loader = newRun("", 0);
export function setLoader(run) {
  loader = run;
}

function emit(level, message) {
  const run = currentRun() ?? loader;
  if (run.full) return;
  let line = run.group > 0 ? indent(message, run.group) : message;
  if (line.length > MAX_LINE_CHARS) line = `${slice(line, 0, MAX_LINE_CHARS)}…`;
  // A character is at least a byte; the service counts the exact bytes.
  if (line.length > run.left) {
    line = slice(line, 0, run.left);
    run.full = true;
  }
  run.left -= line.length;
  run.lines -= 1;
  if (!run.full || line.length > 0) write(`${run.nonce} log ${level} ${now()} ${line}`);
  if (run.lines <= 0) run.full = true;
  if (run.full) write(`${run.nonce} full`);
}

function indent(message, depth) {
  const pad = repeat("  ", depth);
  return pad + replaceAll(message, "\n", `\n${pad}`);
}

/** As `console.log` prints it: strings as they are, everything else in Node's short form. */
export function format(values) {
  try {
    return plainly(values) ?? builtin("node:util").format(...values);
  } catch {
    return "[a value that could not be printed]";
  }
}

// Loading node:util costs a fresh isolate some milliseconds, which most lines need not pay.
function plainly(values) {
  let line = "";
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const kind = typeof value;
    if (kind === "function" || kind === "symbol" || (kind === "object" && value !== null))
      return undefined;
    if (i === 0 && kind === "string" && values.length > 1 && includes(value, "%")) return undefined;
    line += `${i > 0 ? " " : ""}${kind === "bigint" ? `${value}n` : value}`;
  }
  return line;
}

function progressLine(fraction, message) {
  const words = message === undefined ? "" : ` ${slice(text(message), 0, 500)}`;
  return `progress ${fraction}${words}`;
}

/** Passes progress on at once while calls are rare, else keeps the latest for `flushProgress`. */
export function progress(run, fraction, message) {
  const value = +fraction;
  if (!(value >= 0 && value <= 1)) {
    throw new ErrorOf("ctx.progress takes a fraction from 0 to 1");
  }
  const line = progressLine(value, message);
  const at = now();
  const earned = (at - run.refilledAt) / 50;
  run.refilledAt = at;
  run.burst = run.burst + earned > 20 ? 20 : run.burst + earned;
  if (run.burst < 1) {
    run.pending = line;
    return;
  }
  run.burst -= 1;
  run.pending = "";
  write(`${run.nonce} ${line}`);
}

export function flushProgress(run) {
  if (run.pending !== "") write(`${run.nonce} ${run.pending}`);
  run.pending = "";
}

const counts = new MapOf();
const timers = new MapOf();

function elapsed(label) {
  const since = mapGet(timers, label);
  return since === undefined ? undefined : `${label}: ${now() - since} ms`;
}

function group(...values) {
  if (values.length > 0) emit("info", format(values));
  const run = currentRun() ?? loader;
  if (run.group < 20) run.group += 1;
}

const methods = {
  log: (...values) => emit("info", format(values)),
  info: (...values) => emit("info", format(values)),
  debug: (...values) => emit("debug", format(values)),
  warn: (...values) => emit("warn", format(values)),
  error: (...values) => emit("error", format(values)),
  dirxml: (...values) => emit("info", format(values)),
  // A table of unknown width reads badly in a log; the value itself does not.
  table: (value) => emit("info", format([value])),
  dir: (value) => emit("info", format(["%o", value])),
  trace: (...values) => {
    const stack = text(new ErrorOf("x").stack);
    const frames = stack
      .split("\n")
      .filter((line) => /^\s+at /.test(line) && !/toolhost-/.test(line));
    emit("debug", `Trace: ${format(values)}\n${frames.join("\n")}`);
  },
  assert: (condition, ...values) => {
    if (condition) return;
    emit("error", values.length > 0 ? `Assertion failed: ${format(values)}` : "Assertion failed");
  },
  count: (label = "default") => {
    const key = text(label);
    const next = (mapGet(counts, key) ?? 0) + 1;
    mapSet(counts, key, next);
    emit("info", `${key}: ${next}`);
  },
  countReset: (label = "default") => mapDelete(counts, text(label)),
  time: (label = "default") => mapSet(timers, text(label), now()),
  timeLog: (label = "default", ...values) => {
    const line = elapsed(text(label));
    if (line !== undefined) emit("info", values.length > 0 ? `${line} ${format(values)}` : line);
  },
  timeEnd: (label = "default") => {
    const line = elapsed(text(label));
    mapDelete(timers, text(label));
    if (line !== undefined) emit("info", line);
  },
  group,
  groupCollapsed: group,
  groupEnd: () => {
    const run = currentRun() ?? loader;
    if (run.group > 0) run.group -= 1;
  },
};

for (const name of Object.keys(console)) {
  if (typeof console[name] === "function" && name !== "Console") console[name] = () => {};
}
for (const [name, method] of Object.entries(methods))
  console[name] = (...values) => void method(...values);
