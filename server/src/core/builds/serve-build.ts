import { once } from "node:events";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { newestPackage, packageTypes } from "@toolhost/contract";
import type { PackageTypes } from "@toolhost/contract";
import type { JailProcess } from "@toolhost/sandbox";
import { z } from "zod";
import type { Registry, Sink } from "./registry.ts";
import { RegistryError } from "./registry-error.ts";
import { encodeFrame, readFrames } from "./worker/frames.ts";
import type { BuildJob, HostMessage } from "./worker/messages.ts";
import { maxTexts, RefusedError, refusePackages } from "./worker/messages.ts";

/** Result of a build. */
export type Built =
  | { kind: "bundle"; code: string; sourceMap: string }
  | { kind: "types"; types: PackageTypes }
  | { kind: "newest"; version: string | undefined };

type Options = {
  registry: Registry;
  maxDownloadBytes: number;
  signal: AbortSignal;
};

const name = z
  .string()
  .max(maxTexts.name)
  .regex(/^(?:@[A-Za-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~-][\w.~-]*$/);
const id = z.number().int().min(1).max(1_000_000);

const message = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ready") }),
  z.strictObject({ type: z.literal("packument"), id, name }),
  z.strictObject({
    type: z.literal("tarball"),
    id,
    name,
    url: z.string().max(maxTexts.url),
    integrity: z.string().max(maxTexts.integrity),
  }),
  z.strictObject({ type: z.literal("bundle"), codeBytes: z.number().int().min(0) }),
  z.strictObject({ type: z.literal("types") }),
  z.strictObject({ type: z.literal("newest") }),
  z.strictObject({ type: z.literal("refused") }),
]);
type Message = z.infer<typeof message>;
type PackageRequest = Extract<Message, { id: number }>;

const problems = z
  .array(
    z.strictObject({
      path: z.string().max(200),
      message: z.string().max(maxTexts.message),
      file: z.string().max(maxTexts.file).optional(),
      line: z.number().int().optional(),
      column: z.number().int().optional(),
    }),
  )
  .min(1)
  .max(100);

const newestVersion = newestPackage.shape.version.nullable();

const headerBytes = 8 * 1024;
const maxConcurrentRequests = 12;
const maxPackageRequests = 10_000;
/** Declarations as JSON take up to twice their size as text, plus the package manifests. */
const typesFactor = 3;
const closeMs = 1_000;

/**
 * Sends a build its job, serves its registry requests and reads its result. All messages of the build are untrusted.
 * Throws `RefusedError`, `RegistryError` and the signal's reason.
 */
export async function serveBuild(
  process: JailProcess,
  job: BuildJob,
  { registry, maxDownloadBytes, signal }: Options,
): Promise<Built> {
  const stopping = new AbortController();
  const all = AbortSignal.any([signal, stopping.signal]);
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  const serveRequest = createRequestServer(
    { registry, maxDownloadBytes, signal: all },
    process,
    reject,
  );
  try {
    signal.throwIfAborted();
    void send(process, { type: "build" }, all, Buffer.from(JSON.stringify(job)));
    return await Promise.race([talk(process, job, serveRequest), failed]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    stopping.abort();
    failed.catch(() => {});
  }
}

async function talk(
  process: JailProcess,
  job: BuildJob,
  request: (request: PackageRequest) => void,
) {
  const { bundleBytes, types } = job.limits;
  const bodyBytes = job.kind === "bundle" ? 5 * bundleBytes : typesFactor * types.bytes;
  for await (const { header, body } of readFrames(process.output, { headerBytes, bodyBytes })) {
    const received = message.parse(header);
    if (received.type === "packument" || received.type === "tarball") request(received);
    else if (received.type !== "ready") return readResult(job, received, body);
  }
  throw await explainEnd(process);
}

function readResult(
  job: BuildJob,
  received: Exclude<Message, PackageRequest>,
  body: Buffer,
): Built {
  if (received.type === "refused") throw new RefusedError(asProblems(JSON.parse(body.toString())));
  if (received.type === "types" && job.kind === "types") {
    return { kind: "types", types: packageTypes.parse(JSON.parse(body.toString())) };
  }
  if (received.type === "newest" && job.kind === "newest") {
    const version = newestVersion.parse(JSON.parse(body.toString()));
    return { kind: "newest", version: version ?? undefined };
  }
  if (received.type !== "bundle" || job.kind !== "bundle") {
    throw new Error(`A build answered ${received.type} to a job of ${job.kind}`);
  }
  const code = body.toString("utf8", 0, received.codeBytes);
  return { kind: "bundle", code, sourceMap: body.toString("utf8", received.codeBytes) };
}

function asProblems(value: unknown) {
  return problems.parse(value).map(({ path, message: text, file, line, column }) => ({
    path,
    message: text,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  }));
}

/** A build that exits without a result was killed by its memory or CPU limit. */
async function explainEnd({ exited }: JailProcess): Promise<Error> {
  const end = await Promise.race([exited, sleep(closeMs, undefined, { ref: false })]);
  const isBug = end?.code === 1 && !/heap|memory|allocation failed|string length/i.test(end.stderr);
  if (isBug) return new Error(`A build failed: ${end.stderr}`);
  const text = "The build exceeded its memory or CPU time limit.";
  return new RefusedError([{ path: "/source", message: text }]);
}

/** Serves the requests of a build with bounded concurrency, up to a maximum number. */
function createRequestServer(
  { registry, maxDownloadBytes, signal }: Options,
  process: JailProcess,
  onFailure: (error: unknown) => void,
): (request: PackageRequest) => void {
  const waiting: PackageRequest[] = [];
  let working = 0;
  let count = 0;
  let bytesLeft = maxDownloadBytes;
  const charge = (bytes: number) => {
    bytesLeft -= bytes;
    if (bytesLeft < 0) throw tooLarge(maxDownloadBytes);
  };
  const next = () => {
    const request = working < maxConcurrentRequests ? waiting.shift() : undefined;
    if (request === undefined || signal.aborted) return;
    working += 1;
    grant(registry, process, request, { signal, charge })
      .catch(onFailure)
      .finally(() => {
        working -= 1;
        next();
      });
    next();
  };
  return (request) => {
    count += 1;
    if (count > maxPackageRequests)
      onFailure(refusePackages("The packages have too many dependencies."));
    else {
      waiting.push(request);
      next();
    }
  };
}

type Fetching = Parameters<Registry["packument"]>[2];

async function grant(
  registry: Registry,
  process: JailProcess,
  request: PackageRequest,
  fetching: Fetching,
): Promise<void> {
  const { signal } = fetching;
  const { id: requestId } = request;
  const reply = (header: HostMessage, body?: Buffer) => send(process, header, signal, body);
  const sink: Sink = {
    write: (chunk) => reply({ type: "data", id: requestId }, chunk),
    restart: () => reply({ type: "restart", id: requestId }),
  };
  try {
    const encoding =
      request.type === "packument"
        ? await registry.packument(request.name, sink, fetching)
        : await registry.tarball(request, sink, fetching).then(() => "identity" as const);
    await reply({ type: "end", id: requestId, encoding });
  } catch (error) {
    if (!(error instanceof RegistryError) || error.kind !== "not_found") throw error;
    await reply({ type: "not_found", id: requestId });
  }
}

async function send(
  { input }: JailProcess,
  header: HostMessage,
  signal: AbortSignal,
  body?: Buffer,
): Promise<void> {
  signal.throwIfAborted();
  if (input.write(encodeFrame(header, body))) return;
  // All pending writes share one listener.
  let drain = drains.get(input);
  if (drain === undefined) {
    drain = untilDrained(input, signal).finally(() => drains.delete(input));
    drains.set(input, drain);
  }
  await drain;
}

/** Ignores a closed input: the result or the exit of the build explains it. */
async function untilDrained(input: Writable, signal: AbortSignal): Promise<void> {
  try {
    await once(input, "drain", { signal });
  } catch (error) {
    if (signal.aborted) throw error;
  }
}

const drains = new WeakMap<Writable, Promise<unknown>>();

function tooLarge(bytes: number): RefusedError {
  const megabytes = Math.round(bytes / 1024 / 1024);
  return refusePackages(`The packages are larger than ${megabytes} MB. Use smaller packages.`);
}
