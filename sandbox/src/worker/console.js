/* oxlint-disable typescript/unbound-method -- methods are captured unbound on purpose, to be called through `uncurry` */
/* oxlint-disable no-console -- this is the console of the tool */
// Replaces the isolate's console, before the tool's module is evaluated, with one whose lines the service can attribute
// to a run. This module captures the globals that it uses, so that a tool which replaces them breaks neither its log nor
// this code.
import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";

const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const print = console.log.bind(console);
const now = Date.now;
// Unlike `process`, whose module takes a fresh isolate more than a millisecond.
const builtin = createRequire("/");
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

/** Maximum lines of one run, however short: each costs the service more than its bytes. */
const MAX_LINES = 10_000;
/** Maximum characters of one line, so that a single dump does not use up the log. */
const MAX_LINE_CHARS = 65_536;

/** The run that the current code belongs to. Leftover timers and promises retain theirs. */
const storage = new AsyncLocalStorage();
const currentRun = storage.getStore.bind(storage);
export const within = storage.run.bind(storage);

/** The state behind a run's console calls: the nonce of its lines, and how much of its log limit is left. */
export function newRun(logNonce, logBytes) {
  return {
    logNonce,
    left: logBytes,
    lines: MAX_LINES,
    full: logBytes <= 0,
    group: 0,
    burst: 20,
    refilledAt: now(),
    pending: "",
    hasWritten: false,
  };
}

// Module evaluation happens outside any run. Its lines belong to the run that triggered it.
let loader = newRun("", 0);
export function setLoader(run) {
  loader = run;
}

function write(run, line) {
  run.hasWritten = true;
  print(`${run.logNonce} ${line}`);
}

function emit(level, message) {
  const run = currentRun() ?? loader;
  if (run.full) return;
  let line = run.group > 0 ? indent(message, run.group) : message;
  if (line.length > MAX_LINE_CHARS) line = `${slice(line, 0, MAX_LINE_CHARS)}…`;
  // A character is at least one byte. The service counts the exact bytes.
  if (line.length > run.left) {
    line = slice(line, 0, run.left);
    run.full = true;
  }
  run.left -= line.length;
  run.lines -= 1;
  if (!run.full || line.length > 0) write(run, `log ${level} ${now()} ${line}`);
  if (run.lines <= 0) run.full = true;
  if (run.full) write(run, "full");
}

function indent(message, depth) {
  const pad = repeat("  ", depth);
  return pad + replaceAll(message, "\n", `\n${pad}`);
}

/** Formats values like `console.log`: strings unchanged, everything else in Node's short form. */
export function format(values) {
  try {
    return formatPrimitives(values) ?? builtin("node:util").format(...values);
  } catch {
    return "[a value that could not be printed]";
  }
}

// Avoids loading node:util, which takes a fresh isolate several milliseconds, for lines without objects.
function formatPrimitives(values) {
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

/** Sends progress immediately while calls are infrequent, and otherwise stores the latest for `flushProgress`. */
export function progress(run, fraction, message) {
  const value = +fraction;
  if (!(value >= 0 && value <= 1)) {
    throw new ErrorOf("ctx.progress expects a fraction from 0 to 1");
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
  write(run, line);
}

export function flushProgress(run) {
  if (run.pending !== "") write(run, run.pending);
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
  // Logs show tables of unknown width badly, so the value is printed instead.
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
