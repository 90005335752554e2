import { readFileSync } from "node:fs";
import type { Host } from "./machine.ts";
import type { Attempt } from "./probe.ts";
import type { IsolationLayer } from "./types.ts";

/** What to do about a layer that did not work, as exactly as this machine allows. */
export function adviceFor(machine: Pick<Host, "programs">, attempts: readonly Attempt[]): string {
  const layers = [...new Set(attempts.map(({ layer }) => layer))];
  return layers.map((layer) => adviceForLayer(layer, machine, attempts)).join(" ");
}

/** What was tried and what the last try of each layer said. */
export function problemOf(attempts: readonly Attempt[]): string {
  const last = new Map(attempts.map((attempt) => [attempt.layer, attempt]));
  return [...last.values()].map(({ layer, problem }) => `${layer}: ${problem}`).join("; ");
}

function adviceForLayer(
  layer: IsolationLayer,
  machine: Pick<Host, "programs">,
  attempts: readonly Attempt[],
): string {
  const { bwrap, prlimit, setpriv, unshare } = machine.programs;
  if (prlimit === undefined) return install("prlimit", "util-linux");
  if (layer === "bwrap" && bwrap === undefined) return install("bubblewrap", "bubblewrap");
  if (layer !== "bwrap" && setpriv === undefined) return install("setpriv", "util-linux");
  if (layer === "namespaces" && unshare === undefined) return install("unshare", "util-linux");
  const said = attempts.filter((attempt) => attempt.layer === layer).map(({ problem }) => problem);
  if (layer !== "process" && isRefusedByKernel(said.join("\n"))) return allowNamespaces();
  return `Nothing is known that would help ${layer}; its own words are in the problem.`;
}

function install(what: string, pack: string): string {
  return `Install ${what}: apt-get install ${pack} (Debian, Ubuntu), dnf install ${pack} (Fedora).`;
}

function isRefusedByKernel(words: string): boolean {
  return /(permission denied|not permitted|no space left|invalid argument|namespace)/i.test(words);
}

/** The switches that keep unprivileged users from making namespaces, and how they stand here. */
function allowNamespaces(): string {
  const switches = [
    {
      name: "kernel.unprivileged_userns_clone",
      blocks: (value: string) => value === "0",
      set: "1",
    },
    {
      name: "kernel.apparmor_restrict_unprivileged_userns",
      blocks: (value: string) => value === "1",
      set: "0",
    },
    {
      name: "user.max_user_namespaces",
      blocks: (value: string) => Number(value) < 1000,
      set: "15000",
    },
  ];
  const closed = switches.filter(({ name, blocks }) => {
    const value = readSwitch(name);
    return value !== undefined && blocks(value);
  });
  if (closed.length > 0) {
    return closed
      .map(({ name, set }) => `Allow user namespaces: sysctl -w ${name}=${set}.`)
      .join(" ");
  }
  return (
    "The kernel or a container around the service refuses user namespaces. In Docker, start the " +
    "container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined " +
    "--security-opt systempaths=unconfined, or choose a weaker isolation on purpose."
  );
}

function readSwitch(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").trim();
  } catch {
    return undefined;
  }
}
