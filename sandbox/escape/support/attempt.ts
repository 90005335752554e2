import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import type { EgressLimits } from "../../src/egress/policy.ts";
import type { IsolationLayer, Limits } from "../../src/types.ts";

/** Who runs the tool; runs with equal words for all of these may share an isolate. */
type Runner = { user?: string; workspace?: string; version?: number };

/** How a run must end: with this output, or with this failure. The words are regular expressions. */
type Ending = { says: string } | { code: string; message?: string };

/**
 * What a hostile tool declares of itself. In its texts `{witness}`, `{other}` and `{own}` stand for `host:port` of
 * two servers outside and of the service itself, `{witnessPort}` and so on for their ports. The tool gets the same
 * as its input.
 */
export type Attempt = {
  /** Completes "This tool tries …". */
  tries: string;
  /** Completes "It is refused because …": the mechanism that has to stop it. */
  refusedBecause: string;
  /** The layer of the operating system without which it is not refused. */
  needs?: Exclude<IsolationLayer, "process">;
  allowedHosts?: string[];
  /** Hosts that the operator opens; the two servers outside are on this machine and need it. */
  privateHosts?: string[];
  egress?: Partial<EgressLimits>;
  /** The hosts of a credential that the tool has under the name `KEY`. */
  keyHosts?: string[];
  /** The tool has the credential's value itself instead of a placeholder. */
  keyIsExposed?: boolean;
  limits?: Partial<Limits>;
  isolation?: "reuse" | "fresh";
  /** The runs, one after the other; one by default. Endings and records are those of the last. */
  runs?: Runner[];
  ends: Ending;
  /** Requests that the two servers outside must have seen, as `METHOD /path`. None by default. */
  seen?: string[];
  /** Requests that they may have seen besides, as often as they like. */
  mayBeSeen?: string[];
  /** What the run's egress report must say about a host. */
  hostUsage?: { host: string; reason?: string; requests?: number };
  /** Lines that the log must hold, and no others. Not looked at by default. */
  logs?: string[];
  /** Paths that must not be there for a process that does more than its engine allows. */
  hidden?: string[];
  /** Whether such a process must have no network but a loopback of its own, and see no other process. */
  isAlone?: boolean;
  /** Ports of this machine on which nobody must listen afterwards. */
  closed?: number[];
  /** Paths that must not be there on this machine afterwards. */
  absent?: string[];
};

/** A hostile tool: its name (`group/what-it-tries`), its code and what it declares. */
export type HostileTool<Declared = Attempt> = { name: string; code: string; attempt: Declared };

const declaration = /^export const attempt = (\{[^]*?^\});$/m;

/** All hostile tools of some groups. Their code is read, never evaluated here. */
export function hostileTools<Declared = Attempt>(
  groups: readonly string[],
): HostileTool<Declared>[] {
  const root = join(import.meta.dirname, "..");
  return groups.flatMap((group) =>
    readdirSync(join(root, group))
      .toSorted()
      .map((file) =>
        read<Declared>(`${group}/${file.replace(/\.[jt]s$/, "")}`, join(root, group, file)),
      ),
  );
}

function read<Declared>(name: string, path: string): HostileTool<Declared> {
  const code = readFileSync(path, "utf8");
  const literal = declaration.exec(code)?.[1];
  if (literal === undefined) throw new Error(`${path} declares no attempt`);
  // Only this literal, which is ours, is evaluated outside of the sandbox.
  const attempt = runInContext(`(${literal})`, createContext({})) as Declared;
  return { name, code, attempt: structuredClone(attempt) };
}

/** The same value with the addresses of this test in its texts. */
export function filled<T>(value: T, addresses: Readonly<Record<string, string>>): T {
  const text = JSON.stringify(value).replaceAll(
    /\{((?:witness|other|own)(?:Port)?)\}/g,
    (_, name: string) => addresses[name] ?? "",
  );
  return JSON.parse(text) as T;
}
