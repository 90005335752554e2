import { join } from "node:path";
import { libraryPath, requireProgram, UNPRIVILEGED_ID, dropRootArgs } from "../layers.ts";
import type { Command } from "../layers.ts";
import type { Machine } from "../machine.ts";
import { jailOpenFiles } from "../open-files.ts";
import type { IsolationLayer } from "../types.ts";

/** A file descriptor of a jail beyond standard input, output and error. */
const SECCOMP_FD = 3;

/** Limits that the kernel enforces for each process of a jail. */
export type JailLimits = {
  /** Private memory of one process. */
  memoryBytes: number;
  /** CPU time of one process. */
  cpuSeconds: number;
  /** Size of the jail's folder. */
  folderBytes: number;
  /** Processes and threads of the whole jail. Not enforced behind the layer `process`. */
  maxProcesses: number;
};

/** What runs in a jail: a script, with the Node.js that runs the service. */
export type JailProgram = {
  node: string;
  scriptPath: string;
  /** Programs that the script starts: environment variable names, and paths on this machine. */
  programs: Readonly<Record<string, string>>;
  nodeFlags: readonly string[];
  environment: Readonly<Record<string, string>>;
};

export type JailLaunch = {
  layer: IsolationLayer;
  machine: Omit<Machine, "workerd">;
  program: JailProgram;
  limits: JailLimits;
  /** Whether to switch from root to an unprivileged user first. */
  dropRoot: boolean;
  /** An empty folder: the mount point of the new root or, behind `process`, the script's working directory. */
  folder: string;
};

/** The command line that starts a script behind a layer. Throws if a required program is missing. */
export function jailCommand(launch: JailLaunch): Command & { env: Record<string, string> } {
  const [program, ...args] = commandLines[launch.layer](launch);
  if (program === undefined) throw new Error("No program to start");
  return { program, args, env: launch.layer === "bwrap" ? {} : environmentOf(launch) };
}

const commandLines: Record<IsolationLayer, (launch: JailLaunch) => string[]> = {
  bwrap: (launch) => [
    ...user(launch),
    ...limits(launch),
    ...bubblewrap(launch),
    ...nodeLine(launch),
  ],
  namespaces: (launch) => [...dieWithParentArgs(launch), ...limits(launch), ...mounted(launch)],
  process: (launch) => [...dieWithParentArgs(launch), ...limits(launch), ...nodeLine(launch)],
};

function user({ machine, dropRoot }: JailLaunch): string[] {
  return dropRoot ? dropRootArgs(machine) : [];
}

// Makes the kernel kill the process when its parent dies, however the parent dies.
function dieWithParentArgs({ machine, dropRoot }: JailLaunch): string[] {
  const setpriv = dropRoot ? dropRootArgs(machine) : [requireProgram(machine, "setpriv")];
  return [...setpriv, "--no-new-privs", "--pdeathsig=KILL"];
}

function limits({ machine, limits: { memoryBytes, cpuSeconds, folderBytes } }: JailLaunch) {
  return [
    requireProgram(machine, "prlimit"),
    `--data=${memoryBytes}`,
    `--cpu=${cpuSeconds}`,
    `--fsize=${folderBytes}`,
    `--nofile=${jailOpenFiles}`,
    "--core=0",
  ];
}

function bubblewrap(launch: JailLaunch): string[] {
  const {
    machine,
    limits: { folderBytes },
  } = launch;
  return [
    [requireProgram(machine, "bwrap"), "--unshare-all", "--unshare-user", "--cap-drop", "ALL"],
    ["--die-with-parent", "--new-session", "--as-pid-1"],
    ["--uid", `${UNPRIVILEGED_ID}`, "--gid", `${UNPRIVILEGED_ID}`, "--clearenv"],
    ...Object.entries(environmentOf(launch)).map(([name, value]) => ["--setenv", name, value]),
    ...filesOf(launch).map(([from, to]) => ["--ro-bind", from, to]),
    ["--size", `${folderBytes}`, "--tmpfs", "/work", "--remount-ro", "/", "--chdir", "/work"],
    ["--seccomp", `${SECCOMP_FD}`, "--"],
  ].flat();
}

/**
 * Builds the same root as bubblewrap with the mounts of a user namespace. A second user namespace maps the user to one
 * without capabilities, so nothing in the new root can mount or escape it. Each mount states both source and target:
 * otherwise `mount` looks one of them up in /proc, which belongs to another pid namespace.
 */
const mountScript = `set -e
root=$1 size=$2 processes=$3; shift 3
mount -t tmpfs -o size=1m,mode=0755 tmpfs "$root"
while [ "$1" != -- ]; do
  mkdir -p "$root\${2%/*}"
  : > "$root$2"
  mount -o bind,ro "$1" "$root$2"
  shift 2
done
shift
mkdir "$root/work"
mount -t tmpfs -o "size=$size,mode=0700" tmpfs "$root/work"
mount -o remount,bind,ro tmpfs "$root"
exec prlimit --nproc="$processes" unshare --user --map-user=${UNPRIVILEGED_ID} --map-group=${UNPRIVILEGED_ID} \\
  --root="$root" --wd=/work "$@"`;

function mounted(launch: JailLaunch): string[] {
  const {
    machine,
    folder,
    limits: { folderBytes, maxProcesses },
  } = launch;
  const spaces = ["--user", "--map-root-user", "--net", "--pid", "--ipc", "--uts", "--mount"];
  return [
    requireProgram(machine, "unshare"),
    ...spaces,
    "--fork",
    "--kill-child=KILL",
    "/bin/sh",
    "-c",
    mountScript,
    "jail",
    folder,
    `${folderBytes}`,
    `${maxProcesses}`,
    ...filesOf(launch).flat(),
    "--",
    ...nodeLine(launch),
  ];
}

function filesOf({ machine, program }: JailLaunch): (readonly [from: string, to: string])[] {
  return [
    ...machine.libraries.map((path) => [path, path] as const),
    [program.node, "/node"],
    [program.scriptPath, "/script.cjs"],
    ...Object.entries(program.programs).map(([name, path]) => [path, `/${name}`] as const),
  ];
}

function nodeLine({ layer, program }: JailLaunch): string[] {
  const isInside = layer !== "process";
  const [node, script] = isInside ? ["/node", "/script.cjs"] : [program.node, program.scriptPath];
  return [node, ...program.nodeFlags, script];
}

function environmentOf({ layer, machine, program }: JailLaunch): Record<string, string> {
  const isInside = layer !== "process";
  const programs = Object.entries(program.programs).map(([name, path]) => {
    return [name, isInside ? join("/", name) : path] as const;
  });
  return {
    ...program.environment,
    ...Object.fromEntries(programs),
    ...(isInside ? { LD_LIBRARY_PATH: libraryPath(machine) } : {}),
    ...(layer === "namespaces" ? { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } : {}),
  };
}
