import { dirname, join } from "node:path";
import type { Machine } from "./machine.ts";
import { processOpenFiles } from "./open-files.ts";
import type { IsolationLayer } from "./types.ts";

/** All layers, strongest first: the order in which `auto` tries them. */
export const LAYERS: readonly IsolationLayer[] = ["bwrap", "namespaces", "process"];

/** The files of one process. */
type ProcessPaths = {
  /** The folder of the configuration and the dispatcher's modules, shared by all processes. */
  appDir: string;
  /** The folder of the socket that the process listens on. It may write to no other one. */
  listenDir: string;
  /** The socket of its egress gate. */
  egressSocket: string;
};

export type Launch = {
  layer: IsolationLayer;
  machine: Machine;
  slot: ProcessPaths;
  /** RLIMIT_DATA. Undefined while the baseline is measured. */
  dataBytes?: number;
  /** Whether to switch from root to an unprivileged user first. */
  dropRoot?: boolean;
};

export type Command = { program: string; args: string[] };

// File descriptors of a sandbox process beyond standard output and error.
export const CONTROL_FD = 3;
const SECCOMP_FD = 4;
export const UNPRIVILEGED_ID = 65_534;

/** Name of the socket inside `listenDir`; the path as a whole must fit into 107 bytes. */
export const LISTEN_NAME = "http.sock";

/** The command line that starts workerd behind a layer. Throws if a required program is missing. */
export function commandFor(launch: Launch): Command {
  const [program, ...args] = [...prefixFor(launch), ...workerdFor(launch)];
  if (program === undefined) throw new Error("No program to start");
  return { program, args };
}

function prefixFor(launch: Launch): string[] {
  const limits = limitsFor(launch);
  if (launch.layer === "bwrap") return [...user(launch), ...limits, ...bubblewrap(launch)];
  const prefix = [...dieWithParentArgs(launch), ...limits];
  return launch.layer === "namespaces" ? [...prefix, ...namespaces(launch.machine)] : prefix;
}

function limitsFor({ machine, dataBytes }: Launch): string[] {
  const data = dataBytes === undefined ? [] : [`--data=${dataBytes}`];
  const openFiles = `--nofile=${processOpenFiles}`;
  return [requireProgram(machine, "prlimit"), ...data, openFiles, "--fsize=0", "--core=0"];
}

/** The path of a program. Throws if it is not installed. */
export function requireProgram(
  machine: Pick<Machine, "programs">,
  program: keyof Machine["programs"],
): string {
  const path = machine.programs[program];
  if (path === undefined) throw new Error(`The program ${program} is not installed`);
  return path;
}

function user({ machine, dropRoot }: Launch): string[] {
  return dropRoot === true ? dropRootArgs(machine) : [];
}

/** Switches from root to an unprivileged user. */
export function dropRootArgs(machine: Pick<Machine, "programs">): string[] {
  return [
    requireProgram(machine, "setpriv"),
    `--reuid=${UNPRIVILEGED_ID}`,
    `--regid=${UNPRIVILEGED_ID}`,
    "--clear-groups",
  ];
}

// Makes the kernel kill the process when its parent dies, however the parent dies.
function dieWithParentArgs(launch: Launch): string[] {
  const program =
    launch.dropRoot === true ? user(launch) : [requireProgram(launch.machine, "setpriv")];
  return [...program, "--no-new-privs", "--pdeathsig=KILL"];
}

// The user is mapped to itself rather than to root, so it has no capabilities inside the namespace.
function namespaces(machine: Machine): string[] {
  const spaces = ["--user", "--map-current-user", "--net", "--pid", "--ipc", "--uts", "--mount"];
  return [requireProgram(machine, "unshare"), ...spaces, "--fork", "--kill-child=KILL"];
}

function bubblewrap({ machine, slot }: Launch): string[] {
  const readOnly = [
    ...machine.libraries.map((path) => [path, path] as const),
    ...appFiles(machine, slot),
  ];
  const binds = readOnly.map(([from, to]) => ["--ro-bind", from, to]);
  return [
    // No --disable-userns and no --hostname, which most containers refuse: the filter prevents new namespaces.
    [requireProgram(machine, "bwrap"), "--unshare-all", "--unshare-user", "--cap-drop", "ALL"],
    ["--die-with-parent", "--new-session", "--as-pid-1"],
    ["--uid", `${UNPRIVILEGED_ID}`, "--gid", `${UNPRIVILEGED_ID}`],
    ["--clearenv", "--setenv", "LD_LIBRARY_PATH", libraryPath(machine)],
    ...binds,
    ["--dev-bind", "/dev/urandom", "/dev/urandom"],
    ["--bind", slot.listenDir, "/listen", "--remount-ro", "/", "--chdir", "/"],
    ["--seccomp", `${SECCOMP_FD}`, "--"],
  ].flat();
}

function appFiles(machine: Machine, slot: ProcessPaths): (readonly [string, string])[] {
  return [
    [machine.workerd, "/workerd"],
    [slot.appDir, "/app"],
    [slot.egressSocket, "/egress.sock"],
  ];
}

/** The folders of the libraries. The new root has no loader cache that lists them. */
export function libraryPath(machine: Pick<Machine, "libraries">): string {
  return [...new Set(machine.libraries.map((path) => dirname(path)))].join(":");
}

function workerdFor({ layer, machine, slot }: Launch): string[] {
  const inside = layer === "bwrap";
  const listen = inside ? "/listen" : slot.listenDir;
  return [
    inside ? "/workerd" : machine.workerd,
    "serve",
    "--experimental",
    join(inside ? "/app" : slot.appDir, "config.capnp"),
    "config",
    `--control-fd=${CONTROL_FD}`,
    `--socket-addr=http=unix:${join(listen, LISTEN_NAME)}`,
    `--external-addr=egress=unix:${inside ? "/egress.sock" : slot.egressSocket}`,
  ];
}
