/* oxlint-disable typescript/unbound-method -- methods are captured unbound on purpose, to be called through `uncurry` */
// `ctx.tools`: each run of another tool is a request to a host that the service answers itself. This module captures the
// globals that it uses before the tool's module is evaluated, because the tool may replace any of them.
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const send = fetch;
const { parse, stringify } = JSON;
const { freeze } = Object;
const encode = encodeURIComponent;
const ErrorOf = Error;
const TypeErrorOf = TypeError;
const text = String;
const wellFormed = uncurry(String.prototype.toWellFormed);
const { get: isOkOf } = Object.getOwnPropertyDescriptor(Response.prototype, "ok");
const isOk = uncurry(isOkOf);
const readText = uncurry(Response.prototype.text);
const shift = uncurry(Array.prototype.shift);
const push = uncurry(Array.prototype.push);
const pending = Promise.withResolvers.bind(Promise);
const has = uncurry(WeakSet.prototype.has);
const add = uncurry(WeakSet.prototype.add);
const failures = new WeakSet();

const HOST = "tools.internal";
/** The service rejects more concurrent calls, so further ones wait here until the run's time limit. */
const MAX_CONCURRENT = 8;

/** Whether an error reports the failure of a child run, whose cause does not apply to this run. */
export function isChildFailure(error) {
  return has(failures, error);
}

/** `run` for one run, or what `unavailable` returns for its name if the service runs no tools. */
export function toolsFor(services, unavailable) {
  for (let i = 0; i < services.length; i++)
    if (services[i] === HOST) return { run: limitConcurrency(run) };
  return { run: unavailable("ctx.tools.run") };
}

/** Limits how many calls of a function run concurrently. Further calls start in order. */
function limitConcurrency(work) {
  const waiting = [];
  let running = 0;
  return async (name, input) => {
    if (running < MAX_CONCURRENT) running += 1;
    else {
      const turn = pending();
      push(waiting, turn.resolve);
      await turn.promise;
    }
    try {
      return await work(name, input);
    } finally {
      const next = shift(waiting);
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

async function run(name, input) {
  if (typeof name !== "string") throw new TypeErrorOf("ctx.tools.run expects the name of a tool");
  const body = toJson(name, input);
  const response = await send(`http://${HOST}/${encode(wellFormed(name))}`, {
    __proto__: null,
    method: "POST",
    body,
  });
  const answer = parse(await readText(response));
  if (isOk(response)) return answer;
  throw failure(name, answer);
}

function toJson(name, input) {
  let json;
  try {
    json = stringify(input);
  } catch (error) {
    throw new TypeErrorOf(
      `The input of ${name} cannot be serialized as JSON: ${text(error.message)}`,
    );
  }
  if (json === undefined) throw new TypeErrorOf(`The input of ${name} must be an object`);
  return json;
}

function failure(name, { code, message, runId, errors }) {
  const error = new ErrorOf(`${name}: ${message}`);
  error.code = code;
  if (runId !== undefined) error.runId = runId;
  if (errors !== undefined) error.errors = freeze(errors);
  add(failures, error);
  return error;
}
