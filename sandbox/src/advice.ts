import { readFileSync } from "node:fs";
import type { Host } from "./machine.ts";
import type { Attempt } from "./probe.ts";
import type { IsolationLayer } from "./types.ts";

/** What the operator can do about layers that did not work on this machine. */
export function adviceFor(machine: Pick<Host, "programs">, attempts: readonly Attempt[]): string {
  const layers = [...new Set(attempts.map(({ layer }) => layer))];
  const advice = layers.map((layer) => adviceForLayer(layer, machine, attempts));
  return [...new Set(advice)].join(" ");
}

/** The error of the last attempt with each layer. */
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
  const problems = attempts
    .filter((attempt) => attempt.layer === layer)
    .map(({ problem }) => problem);
  if (layer !== "process" && isRefusedByKernel(problems.join("\n"))) return allowNamespaces();
  return `No fix is known for the layer ${layer}. See its error message.`;
}

function install(what: string, pack: string): string {
  return `Install ${what}: apt-get install ${pack} (Debian, Ubuntu), dnf install ${pack} (Fedora).`;
}

function isRefusedByKernel(message: string): boolean {
  return /(permission denied|not permitted|no space left|invalid argument|namespace)/i.test(
    message,
  );
}

/** Names the kernel settings that currently prevent unprivileged users from creating namespaces. */
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
    "The kernel, or the container that the service runs in, does not allow user namespaces. In Docker, " +
    "start the container with --security-opt seccomp=deploy/seccomp.json, and with an AppArmor profile " +
    "that allows them (docs/operate/install.md), or select a weaker isolation layer explicitly."
  );
}

function readSwitch(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").trim();
  } catch {
    return undefined;
  }
}
