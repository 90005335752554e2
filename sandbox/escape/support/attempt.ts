import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import type { EgressLimits } from "../../src/egress/policy.ts";
import type { IsolationLayer, Limits } from "../../src/types.ts";
import { isFull, perChange } from "./per-change.ts";

/** Who runs the tool. Runs with the same user, workspace and version may share an isolate. */
type Runner = { user?: string; workspace?: string; version?: number };

/** How a run must end: with this output, or with this failure. The strings are regular expressions. */
type Ending = { says: string } | { code: string; message?: string };

/**
 * What a hostile tool declares. In its strings, `{witness}`, `{other}` and `{own}` stand for the `host:port` of two
 * external servers and of the service itself, and `{witnessPort}` and so on for their ports. The tool receives them
 * as its input, too.
 */
export type Attempt = {
  /** Completes "This tool tries …". */
  tries: string;
  /** Completes "It is blocked because …": the mechanism that must stop it. */
  blockedBecause: string;
  /** The isolation layer without which it is not blocked. */
  needs?: Exclude<IsolationLayer, "process">;
  allowedHosts?: string[];
  /** Hosts that the operator allows. The two external servers need it, because they run on this machine. */
  privateHosts?: string[];
  egress?: Partial<EgressLimits>;
  /** The hosts of the tool's credential `KEY`. */
  keyHosts?: string[];
  /** Whether the credential is exposed: the tool gets its value instead of a placeholder. */
  keyIsExposed?: boolean;
  limits?: Partial<Limits>;
  isolation?: "reuse" | "fresh";
  /** The runs, in sequence. One by default. The expectations apply to the last. */
  runs?: Runner[];
  ends: Ending;
  /** Requests that the external servers must receive, as `METHOD /path`. None by default. */
  seen?: string[];
  /** Further requests that they may receive, any number of times. */
  mayBeSeen?: string[];
  /** What the run's egress report must say about a host. */
  hostUsage?: { host: string; reason?: string; requests?: number };
  /** The exact lines of the log. Not checked by default. */
  logs?: string[];
  /** Paths that must not exist for a compromised process. */
  hidden?: string[];
  /** Whether a compromised process must have only its own loopback interface, and a separate pid namespace. */
  isAlone?: boolean;
  /** Ports of this machine on which nothing must listen afterwards. */
  closed?: number[];
  /** Paths that must not exist on this machine afterwards. */
  absent?: string[];
};

/** A hostile tool: its name (`group/what-it-tries`), its code and what it declares. */
export type HostileTool<Declared = Attempt> = { name: string; code: string; attempt: Declared };

const declaration = /^export const attempt = (\{[^]*?^\});$/m;

/** The hostile tools of some groups that this run includes. Their code is read, never evaluated here. */
export function hostileTools<Declared = Attempt>(
  groups: readonly string[],
): HostileTool<Declared>[] {
  const root = join(import.meta.dirname, "..");
  const all = groups.flatMap((group) =>
    readdirSync(join(root, group))
      .toSorted()
      .map((file) =>
        read<Declared>(`${group}/${file.replace(/\.[jt]s$/, "")}`, join(root, group, file)),
      ),
  );
  if (isFull) return all;
  const wanted = perChange.filter((name) => groups.includes(name.split("/")[0] ?? ""));
  return wanted.map((name) => {
    const tool = all.find((other) => other.name === name);
    if (tool === undefined) throw new Error(`No hostile tool has the name ${name}`);
    return tool;
  });
}

function read<Declared>(name: string, path: string): HostileTool<Declared> {
  const code = readFileSync(path, "utf8");
  const literal = declaration.exec(code)?.[1];
  if (literal === undefined) throw new Error(`${path} declares no attempt`);
  // Only this literal, which is part of the test suite, is evaluated outside the sandbox.
  const attempt = runInContext(`(${literal})`, createContext({})) as Declared;
  return { name, code, attempt: structuredClone(attempt) };
}

/** Fills in the addresses of this test. */
export function filled<T>(value: T, addresses: Readonly<Record<string, string>>): T {
  const text = JSON.stringify(value).replaceAll(
    /\{((?:witness|other|own)(?:Port)?)\}/g,
    (_, name: string) => addresses[name] ?? "",
  );
  return JSON.parse(text) as T;
}
