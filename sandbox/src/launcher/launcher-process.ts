// Starts and kills processes for the service. Ends with it, and the kernel then kills the processes that it has started.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { connect, Socket } from "node:net";
import { messageOf } from "../errors.ts";
import type { Descriptor, LaunchOptions, Report, Request } from "./messages.ts";
import { spawnClean } from "./spawn-clean.ts";

type Running = { child: ChildProcess; isGroup: boolean };

const running = new Map<number, Running>();

process.on("disconnect", () => process.exit());
// A terminal sends its signals to all processes of the service, which ends this one when it no longer needs it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
process.on("message", (request: Request) => {
  if (request.kind === "start") void start(request);
  else kill(request.id);
});

async function start({ id, address, options }: Request & { kind: "start" }): Promise<void> {
  try {
    const child = await launch(address, options);
    const { pid } = child;
    if (pid === undefined) {
      const [error] = await once(child, "error");
      throw error;
    }
    running.set(id, { child, isGroup: options.isGroup });
    child.once("exit", (code, signal) => {
      running.delete(id);
      report({ kind: "exited", id, code, signal });
    });
    report({ kind: "started", id, pid });
  } catch (error) {
    report({ kind: "failed", id, problem: messageOf(error) });
  }
}

async function launch(address: string, options: LaunchOptions): Promise<ChildProcess> {
  const opened: ("ignore" | number | Socket)[] = [];
  try {
    for (const descriptor of options.stdio) opened.push(await open(address, descriptor));
    return spawnClean({ ...options, stdio: opened });
  } finally {
    for (const one of opened) {
      if (one instanceof Socket) one.destroy();
      else if (one !== "ignore") closeSync(one);
    }
  }
}

async function open(address: string, descriptor: Descriptor): Promise<"ignore" | number | Socket> {
  if (descriptor === "ignore") return descriptor;
  if ("file" in descriptor) return openSync(descriptor.file, "r");
  // A paused socket reads nothing that is meant for the program.
  const socket = connect({ path: address }).pause();
  await once(socket, "connect");
  await new Promise<void>((resolve, reject) => {
    socket.write(descriptor.token, (error) => (error ? reject(error) : resolve()));
  });
  return socket;
}

/** Kills a process that still exists: nothing else waits for it, so its PID cannot belong to another one yet. */
function kill(id: number): void {
  const one = running.get(id);
  if (one?.child.pid === undefined) return;
  if (!one.isGroup) {
    one.child.kill("SIGKILL");
    return;
  }
  try {
    process.kill(-one.child.pid, "SIGKILL");
  } catch {
    // All of its processes have exited, and this one will be reported.
  }
}

function report(message: Report): void {
  if (process.connected) process.send?.(message);
}
