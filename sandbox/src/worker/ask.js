/* oxlint-disable typescript/unbound-method -- methods are captured unbound on purpose, to be called through `uncurry` */
// `ctx.ask`: a question is a request to a host that the service answers itself, once the user has answered. This module
// captures the globals that it uses before the tool's module is evaluated, because the tool may replace any of them.
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const send = fetch;
const { parse, stringify } = JSON;
const ErrorOf = Error;
const TypeErrorOf = TypeError;
const text = String;
const { get: isOkOf } = Object.getOwnPropertyDescriptor(Response.prototype, "ok");
const isOk = uncurry(isOkOf);
const readText = uncurry(Response.prototype.text);

const HOST = "questions.internal";

/** `ctx.ask`, or what `unavailable` returns for its name if the service asks no one. */
export function askFor(services, unavailable) {
  for (let i = 0; i < services.length; i++) if (services[i] === HOST) return ask;
  return unavailable("ctx.ask");
}

async function ask(question) {
  const response = await send(`http://${HOST}/`, {
    __proto__: null,
    method: "POST",
    body: toJson(question),
  });
  const answer = parse(await readText(response));
  if (isOk(response)) return answer;
  const error = new ErrorOf(`ctx.ask: ${answer.message}`);
  error.code = answer.code;
  throw error;
}

function toJson(question) {
  let json;
  try {
    const { message, schema } = question;
    json = stringify({ __proto__: null, message, schema });
  } catch (error) {
    throw new TypeErrorOf(`ctx.ask expects a message and a schema: ${text(error.message)}`);
  }
  return json;
}
