import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import { encodeFrame, readFrames } from "./frames.ts";
import type { BuildJob, HostMessage, WorkerMessage } from "./messages.ts";
import { refusePackages } from "./messages.ts";

/** The connection of a build to the service, over standard input and output. */
export type ServiceLink = {
  /** The one job of this process. */
  job: Promise<BuildJob>;
  /** Metadata of a package; undefined when the registry has no package of this name. */
  packument(name: string): Promise<Buffer | undefined>;
  /** An archive whose integrity the service has checked; undefined when the registry does not have it. */
  tarball(name: string, dist: { url: string; integrity: string }): Promise<Buffer | undefined>;
  /** Sends the result. Resolves once it is written. */
  finish(message: WorkerMessage, body: Buffer): Promise<void>;
};

const maxPackumentBytes = 64 * 1024 * 1024;
const limits = { headerBytes: 64 * 1024, bodyBytes: 64 * 1024 * 1024 };

type Pending = {
  chunks: Buffer[];
  resolve: (bytes: Buffer | undefined) => void;
  reject: (error: unknown) => void;
};

export function openLink(input: AsyncIterable<Buffer>, output: NodeJS.WritableStream): ServiceLink {
  const pending = new Map<number, Pending>();
  const job = Promise.withResolvers<BuildJob>();
  let lastId = 0;
  const send = (message: WorkerMessage, body?: Buffer) => output.write(encodeFrame(message, body));
  const ask = (message: (id: number) => WorkerMessage) => {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
    lastId += 1;
    pending.set(lastId, { chunks: [], resolve, reject });
    send(message(lastId));
    return promise;
  };
  void (async () => {
    for await (const { header, body } of readFrames(input, limits)) {
      const message = header as HostMessage;
      if (message.type === "build") job.resolve(JSON.parse(body.toString()) as BuildJob);
      else take(pending, message, body);
    }
    // The service has exited, or has cancelled the build.
    process.exit(0);
  })();
  send({ type: "ready" });
  return {
    job: job.promise,
    packument: (name) => ask((id) => ({ type: "packument", id, name })),
    tarball: (name, dist) => ask((id) => ({ type: "tarball", id, name, ...dist })),
    finish: (message, body) =>
      new Promise((resolve) => output.write(encodeFrame(message, body), () => resolve())),
  };
}

function take(
  pending: Map<number, Pending>,
  message: Exclude<HostMessage, { type: "build" }>,
  body: Buffer,
): void {
  const waiting = pending.get(message.id);
  if (waiting === undefined) return;
  // Copied, since the body is a slice of a larger buffer, which it would retain.
  if (message.type === "data") waiting.chunks.push(Buffer.from(body));
  else if (message.type === "restart") waiting.chunks = [];
  else {
    pending.delete(message.id);
    if (message.type === "not_found") waiting.resolve(undefined);
    else finish(waiting, message.encoding);
  }
}

function finish({ chunks, resolve, reject }: Pending, encoding: "gzip" | "identity"): void {
  const bytes = Buffer.concat(chunks);
  try {
    const maxOutputLength = maxPackumentBytes;
    resolve(encoding === "gzip" ? gunzipSync(bytes, { maxOutputLength }) : bytes);
  } catch {
    reject(refusePackages("The metadata of a package is too large or cannot be read."));
  }
}
