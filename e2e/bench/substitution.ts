import { Readable, Transform } from "node:stream";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { tmpdir } from "node:os";
import { createRedactor } from "@toolhost/sandbox";
import { parseTarget } from "../../sandbox/src/egress/target.ts";
import { substituteInBody } from "../../sandbox/src/egress/substitute-body.ts";
import { redactionOf } from "../../sandbox/src/egress/redaction.ts";
import { guardBody, denyWithheldHead } from "../../sandbox/src/egress/withheld.ts";
import { substitute, substituteInHeader, secretsOf } from "../../sandbox/src/egress/secrets.ts";
import type { SecretsOfRun } from "../../sandbox/src/egress/secrets.ts";
import { median } from "./load.ts";
import { describeMachine } from "./machine.ts";
import { parseOptions } from "./options.ts";
import { fixed, table } from "./table.ts";

// Measures the cost of credentials in the service's process: substitution in requests and redaction in responses,
// each compared with the same bytes without credentials.

const { values: options } = parseOptions({
  options: {
    megabytes: { type: "string", default: "32" },
    rounds: { type: "string", default: "5" },
  },
});
const megabytes = Number(options.megabytes);
const rounds = Number(options.rounds);
const secretCounts = [0, 1, 5];
const megabyte = 1024 * 1024;
const chunkBytes = 64 * 1024;
/** The text contains a value once in this many bytes. */
const every = 16 * 1024;

const host = "api.example.com";
const plainHeader = "text/html, ".repeat(24).slice(0, 256);
const address = `/v1/things?key=${placeholderOf(0)}&q=`.padEnd(2_048, "abc%20");
const target = parseTarget(`https://${host}/`);
if (target === undefined) throw new Error("Invalid target");

type Work = (secrets: SecretsOfRun) => Promise<number>;

const works: Readonly<Record<string, Work>> = {
  headers: async (secrets) => repeat(16 * 256, () => headersOnce(secrets)),
  address: async (secrets) => repeat(2_048, () => addressOnce(secrets)),
  "body, JSON": async (secrets) => bodyOnce(secrets, "application/json"),
  "body, form": async (secrets) => bodyOnce(secrets, "application/x-www-form-urlencoded"),
  answer: async (secrets) =>
    stream(
      chunks("v"),
      secrets.length === 0 ? [passing()] : redactionOf(undefined, secrets, host, Infinity),
    ),
  "output and log": async (secrets) => outputOnce(secrets),
  "exposed, head": async (secrets) => repeat(16 * 256 + 2_048, () => exposedHeadOnce(secrets)),
  "exposed, body": async (secrets) => exposedBodyOnce(secrets),
};

const { cores, processor, node, loadAverage } = describeMachine(tmpdir());
const found = new Map<string, number[]>();
for (let round = 0; round <= rounds; round++) {
  for (const [name, work] of Object.entries(works)) {
    for (const count of secretCounts) {
      const cpuMs = await measure(work, await secretsFor(count));
      // The first round warms up.
      if (round > 0)
        found.set(`${name} ${count}`, [...(found.get(`${name} ${count}`) ?? []), cpuMs]);
    }
  }
}
process.stdout.write(
  [
    `Machine: ${cores} cores (${processor}), Node ${node}. Load average before: ${fixed(loadAverage)}.`,
    `CPU milliseconds per MB with 0, 1 and 5 credentials, a placeholder or value every ${every / 1024} KB; ${megabytes} MB, median of ${rounds} rounds. The factors compare with 0 credentials.`,
    "",
    ...table(report()),
    "",
  ].join("\n"),
);

function report(): string[][] {
  const rows = Object.keys(works).map((name) => {
    const figures = secretCounts.map((count) => median(found.get(`${name} ${count}`) ?? []));
    const [none = Number.NaN] = figures;
    return [
      name,
      ...figures.flatMap((cpuMs) => [fixed(cpuMs), none < 0.01 ? "" : `×${fixed(cpuMs / none)}`]),
    ];
  });
  return [["", ...secretCounts.flatMap((count) => [`${count}`, ""])], ...rows];
}

/** CPU milliseconds of this process per MB. */
async function measure(work: Work, secrets: SecretsOfRun): Promise<number> {
  const before = process.cpuUsage();
  const bytes = await work(secrets);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / (bytes / megabyte);
}

function secretsFor(count: number): Promise<SecretsOfRun> {
  const secrets = Array.from({ length: count }, (_, index) => ({
    name: `KEY_${index}`,
    placeholder: placeholderOf(index),
    value: `sk-live-${index}-0123456789abcdefghijklmnopqrstuvwxyz`,
    hosts: [[host]],
  }));
  const limits = { parallelRequests: 1, requests: 1, bytesSent: 1, bytesReceived: 1, connectMs: 1 };
  return secretsOf({ allowedHosts: [host], privateHosts: [], limits, secrets });
}

function placeholderOf(index: number): string {
  return `th_credential_${"x".repeat(31)}${index}`;
}

function repeat(bytes: number, once: () => void): number {
  const times = Math.ceil((megabytes * megabyte) / bytes);
  for (let time = 0; time < times; time++) once();
  return times * bytes;
}

/** 16 headers of 256 bytes, one of them with a placeholder. */
function headersOnce(secrets: SecretsOfRun): void {
  for (let index = 0; index < 16; index++) {
    const value = index === 0 ? `Bearer ${placeholderOf(0)}`.padEnd(256, "a") : plainHeader;
    // Not searched without credentials.
    if (secrets.length > 0) substituteInHeader(value, secrets, here());
  }
}

function addressOnce(secrets: SecretsOfRun): void {
  if (secrets.length > 0) substitute(address, "url", secrets, here());
}

/** Headers and a URL for a host that is not the credential's own. */
function exposedHeadOnce(secrets: SecretsOfRun): void {
  const headers = Array.from({ length: 16 }, () => ["accept", plainHeader]).flat();
  denyWithheldHead({ path: address, headers }, secrets, here());
}

async function exposedBodyOnce(secrets: SecretsOfRun): Promise<number> {
  const source = Readable.from(chunks("p"));
  return drain(await guardBody(source, { withheld: secrets, target: here() }));
}

function here() {
  if (target === undefined) throw new Error("Invalid target");
  return target;
}

async function bodyOnce(secrets: SecretsOfRun, type: string): Promise<number> {
  const source = Readable.from(chunks("p"));
  if (secrets.length === 0) return drain(source.pipe(passing()));
  const body = await substituteInBody(source, { type, length: undefined, secrets, target: here() });
  if (Buffer.isBuffer(body)) return body.length;
  return drain(body);
}

async function outputOnce(secrets: SecretsOfRun): Promise<number> {
  const text = chunk("v").toString();
  const redact = secrets.length === 0 ? (given: string) => given : createRedactor(secrets);
  return repeat(text.length, () => redact(text));
}

/** Typical text of tools: `p` with placeholders, `v` with values. */
function chunk(kind: "p" | "v"): Buffer {
  const item = '{"id":12345,"name":"Some thing","tags":["a","b"],"price":12.5},';
  const value = kind === "p" ? placeholderOf(0) : "sk-live-0-0123456789abcdefghijklmnopqrstuvwxyz";
  const part = item.repeat(Math.ceil(every / item.length)).slice(0, every - value.length) + value;
  return Buffer.from(part.repeat(chunkBytes / every));
}

function* chunks(kind: "p" | "v"): Generator<Buffer> {
  const bytes = chunk(kind);
  for (let sent = 0; sent < megabytes * megabyte; sent += bytes.length) yield bytes;
}

async function stream(source: Iterable<Buffer>, stages: Duplex[]): Promise<number> {
  let bytes = 0;
  await pipeline([
    Readable.from(source),
    ...stages,
    async (whole: AsyncIterable<Buffer>) => {
      for await (const part of whole) bytes += part.length;
    },
  ]);
  return bytes;
}

async function drain(body: Readable): Promise<number> {
  let bytes = 0;
  for await (const part of body) bytes += Buffer.isBuffer(part) ? part.length : 0;
  return bytes;
}

/** A pass-through stage, because every body has at least one. */
function passing(): Transform {
  return new Transform({ transform: (part: Buffer, _, done) => done(null, part) });
}
