/* oxlint-disable typescript/unbound-method -- methods are captured unbound on purpose, to be called through `uncurry` */
// `ctx.tools`: a request to a host that the service answers itself, for each run of another tool. What is
// used here is captured before the tool's module is evaluated, since the tool may replace any global.
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
/** The service refuses more, so that the others wait here, for as long as the run has time. */
const MAX_CONCURRENT = 8;

/** Whether an error tells of another run, whose failure is not this one's in kind. */
export function isChildFailure(error) {
  return has(failures, error);
}

/** `run` for one run; where the service runs no tools for it, what `unavailable` makes of the name. */
export function toolsFor(services, unavailable) {
  for (let i = 0; i < services.length; i++)
    if (services[i] === HOST) return { run: limitConcurrency(run) };
  return { run: unavailable("ctx.tools.run") };
}

/** The same function, at work so often at once; further calls begin in the order they came. */
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
  if (typeof name !== "string") throw new TypeErrorOf("ctx.tools.run needs the name of a tool");
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
    throw new TypeErrorOf(`The input of ${name} cannot be written as JSON: ${text(error.message)}`);
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
