import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import type { SourceMapPayload } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(import.meta.dirname, "../..");

/** A part of the work of the service's main thread. */
type Part = { name: string; isPart: (file: string) => boolean };

const within =
  (...starts: string[]) =>
  (file: string) =>
    starts.some((start) => file.startsWith(start));

const other: Part = { name: "other: event loop, promises, timers", isPart: () => true };

/** Its samples are those with any frame of it, because most of its work is done by others. */
const sealing: Part = {
  name: "audit log: events and hashes",
  isPart: within("server/src/core/kernel/audit/"),
};

/** A sample belongs to the part of its innermost frame that has one. */
const parts: readonly Part[] = [
  { name: "sync of the database", isPart: within("fdatasync") },
  sealing,
  {
    name: "database: statements and commits",
    isPart: within(
      "server/src/db/",
      "node_modules/better-sqlite3",
      "node_modules/kysely",
      "node_modules/pg",
    ),
  },
  {
    name: "sandbox: messages",
    isPart: within(
      "sandbox/src/exchange",
      "sandbox/src/dispatcher-client",
      "sandbox/src/response-reader",
      "sandbox/src/logs",
    ),
  },
  { name: "sandbox: lease, limits, egress", isPart: within("sandbox/src/") },
  {
    name: "metrics, access log, traces",
    isPart: within(
      "server/src/telemetry/",
      "server/src/metrics/",
      "server/src/watch-loop",
      "node_modules/prom-client",
      "node_modules/pino",
      "node_modules/@opentelemetry",
    ),
  },
  {
    name: "authentication and limits",
    isPart: within("server/src/core/identity/", "server/src/core/limits/"),
  },
  {
    name: "input and output: parse, validate, store",
    isPart: within(
      "server/src/core/validation/",
      "server/src/core/runs/recorded-input",
      "server/src/core/runs/results/",
      "server/src/rest/read-body",
      "tool-schema/",
      "node_modules/zod",
      "node_modules/canonicalize",
    ),
  },
  {
    name: "run: find tool, submit, execute, finalize",
    isPart: within("server/src/core/runs/", "server/src/core/catalog/", "server/src/core/"),
  },
  { name: "periodic tasks", isPart: within("server/src/lib/every", "server/src/background-tasks") },
  {
    name: "HTTP: parse, route, respond",
    isPart: within(
      "server/src/",
      "contract/",
      "node_modules/hono",
      "node_modules/@hono",
      "node:_http_",
      "node:internal/deps/undici",
      "node:internal/webstreams",
    ),
  },
  { name: "garbage collection", isPart: within("(garbage collector)") },
  other,
];

type Frame = { functionName: string; url: string; lineNumber: number; columnNumber: number };
type Node = { id: number; callFrame: Frame; children?: number[] };
export type Profile = { nodes: Node[]; samples: number[] };

/**
 * The share of each part in the time in which the main thread was busy. The shares add up to 1. Counts samples and not the time
 * between them: a thread that waits for a core, mostly after it has woken another process, takes one sample for all of that time.
 */
export function attribute({ nodes, samples }: Profile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const fileOf = createFileFinder();
  const partOf = (id: number): string | undefined => {
    let innermost: string | undefined;
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (frame === undefined || frame.functionName === "(root)") continue;
      if (frame.functionName === "(idle)" || frame.url === "node:inspector") return undefined;
      const file = frame.url === "" ? frame.functionName : fileOf(frame);
      if (sealing.isPart(file)) return sealing.name;
      const part = parts.find(({ isPart }) => isPart(file));
      if (innermost === undefined || innermost === other.name) innermost = part?.name;
    }
    return innermost;
  };
  const counts = new Map<string, number>(parts.map(({ name }) => [name, 0]));
  let total = 0;
  for (const id of samples) {
    const part = partOf(id);
    if (part === undefined) continue;
    counts.set(part, (counts.get(part) ?? 0) + 1);
    total += 1;
  }
  return new Map([...counts].map(([name, count]) => [name, count / total]));
}

/** Finds the source of a frame by the source map of its bundle. */
function createFileFinder(): (frame: Frame) => string {
  const maps = new Map<string, SourceMap>();
  return ({ url, lineNumber, columnNumber }) => {
    if (!url.startsWith("file:")) return url;
    const path = fileURLToPath(url);
    if (!path.includes("/server/dist/")) return fromRoot(path);
    let map = maps.get(path);
    if (map === undefined) {
      const payload = JSON.parse(readFileSync(`${path}.map`, "utf8")) as SourceMapPayload;
      maps.set(path, (map = new SourceMap(payload)));
    }
    const entry = map.findEntry(lineNumber, columnNumber);
    // The names of the sources are relative to the bundle.
    return "originalSource" in entry ? fromRoot(join(dirname(path), entry.originalSource)) : path;
  };
}

/** A path from the folder of the project, or of the packages that it uses. */
function fromRoot(path: string): string {
  const packages = path.lastIndexOf("/node_modules/");
  return packages === -1 ? relative(root, path) : path.slice(packages + 1);
}
