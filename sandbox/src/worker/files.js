/* oxlint-disable typescript/unbound-method -- methods are captured unbound on purpose, to be called through `uncurry` */
// `ctx.files`: requests to a host that the service answers itself, streaming both ways. This module captures the globals
// that it uses before the tool's module is evaluated, because the tool may replace any of them.
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
/** A property's getter, which may be inherited. */
function getter(of, name) {
  const property = Object.getOwnPropertyDescriptor(of, name);
  return property === undefined ? getter(Object.getPrototypeOf(of), name) : uncurry(property.get);
}
const send = fetch;
const { parse } = JSON;
const { isView } = ArrayBuffer;
const { freeze } = Object;
const encode = encodeURIComponent;
const decode = decodeURIComponent;
const ErrorOf = Error;
const TypeErrorOf = TypeError;
const text = String;
const wellFormed = uncurry(String.prototype.toWellFormed);
const headersOf = getter(Response.prototype, "headers");
const headerOf = uncurry(Headers.prototype.get);
const isOk = getter(Response.prototype, "ok");
const bodyOf = getter(Response.prototype, "body");
const readText = uncurry(Response.prototype.text);
const readBytes = uncurry(Response.prototype.bytes);
const readBuffer = uncurry(Response.prototype.arrayBuffer);
const ReadableStreamOf = ReadableStream;
const TransformStreamOf = TransformStream;
const pipeThrough = uncurry(ReadableStream.prototype.pipeThrough);
const streamOf = uncurry(Blob.prototype.stream);
const newMark = crypto.randomUUID.bind(crypto);
const encodeText = uncurry(TextEncoder.prototype.encode);
const encoder = new TextEncoder();
const ArrayBufferOf = ArrayBuffer;
const BlobOf = Blob;
const ResponseOf = Response;

const HOST = "files.internal";
const ADDRESS = `http://${HOST}/`;

/** Both functions for a run, or what `unavailable` returns for their names if the service provides no files. */
export function filesFor(services, unavailable) {
  for (let i = 0; i < services.length; i++) if (services[i] === HOST) return { open, save };
  return { open: unavailable("ctx.files.open"), save: unavailable("ctx.files.save") };
}

async function open(id) {
  const response = await send(`${ADDRESS}${encode(wellFormed(text(id)))}`);
  if (!isOk(response)) throw await failure(response);
  const headers = headersOf(response);
  return freeze({
    fileName: decode(headerOf(headers, "x-file-name")),
    mimeType: headerOf(headers, "content-type"),
    size: +headerOf(headers, "x-file-size"),
    stream: () => bodyOf(response),
    text: () => readText(response),
    bytes: () => readBytes(response),
    arrayBuffer: () => readBuffer(response),
    json: async () => parse(await readText(response)),
  });
}

async function save({ name, mimeType, body }) {
  const mark = newMark();
  const headers = {
    __proto__: null,
    "x-file-name": encode(wellFormed(text(name))),
    "x-file-type": encode(wellFormed(text(mimeType))),
    "x-file-end": mark,
  };
  const stream = marked(streamFrom(body), encodeText(encoder, mark));
  const response = await send(ADDRESS, { __proto__: null, method: "POST", headers, body: stream });
  if (!isOk(response)) throw await failure(response);
  return parse(await readText(response));
}

/** Any supported body as a stream. `fetch` would turn other values into text such as "[object Object]". */
function streamFrom(body) {
  if (body instanceof ReadableStreamOf) return body;
  if (body instanceof BlobOf) return streamOf(body);
  const isBytes = isView(body) || body instanceof ArrayBufferOf;
  if (typeof body === "string" || isBytes) return bodyOf(new ResponseOf(body));
  if (body instanceof ResponseOf) return bodyOf(body) ?? streamFrom("");
  throw new TypeErrorOf("The body of a file must be text, bytes, a Blob, a stream or a Response");
}

/** The stream with a marker at its end. The service detects a stream that failed by the missing marker. */
function marked(stream, mark) {
  const flush = (controller) => controller.enqueue(mark);
  return pipeThrough(stream, new TransformStreamOf({ __proto__: null, flush }));
}

async function failure(response) {
  const { code, message } = parse(await readText(response));
  const error = new ErrorOf(message);
  error.code = code;
  return error;
}
