import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { descendants } from "../../escape/support/processes.ts";
import { inspectHost } from "../machine.ts";
import { launchProcess, type LaunchRequest } from "./launcher.ts";

const { inheritedDescriptors } = await inspectHost(process.execPath);
const defaults: LaunchRequest = {
  program: "/bin/sh",
  args: [],
  env: {},
  cwd: "/",
  isGroup: false,
  niceness: 0,
  inheritedDescriptors,
  stdio: ["pipe", "pipe", "pipe"],
};

const start = (script: string, options: Partial<LaunchRequest> = {}) =>
  launchProcess({ ...defaults, args: ["-c", script], ...options });

function read(stream: Socket | undefined): Promise<string> {
  if (stream === undefined) throw new Error("The process has no such stream");
  return text(stream);
}

const isLauncher = ({ pid }: { pid: number }) =>
  readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("launcher-process");

test("connects the streams of a process, and reports how it exited", async () => {
  const child = await start("cat; echo bad >&2; exit 3");
  const [input, output, errors] = child.streams;
  input?.end("one\ntwo\n");
  expect(await Promise.all([read(output), read(errors)])).toEqual(["one\ntwo\n", "bad\n"]);
  expect(await child.closed).toEqual(expect.objectContaining({ code: 3, signal: null }));
  expect(child.hasExited).toBe(true);
});

test("loses no output of a process that exits immediately", async () => {
  const lengths = Array.from({ length: 20 }, (_, index) => index);
  const outputs = lengths.map(async (length) => {
    const { streams } = await start(`printf "${"x".repeat(length)}"`);
    return read(streams[1]);
  });
  expect((await Promise.all(outputs)).map((output) => output.length)).toEqual(lengths);
});

test("passes on nothing but the given environment and descriptors", async () => {
  process.env["LAUNCHER_TEST_SECRET"] = "secret";
  try {
    const child = await start(
      "tr '\\0' ' ' < /proc/self/environ; echo; find /proc/self/fd -lname '[^/]*'; find /proc/self/fd -lname '/etc/*'",
      {
        env: { OWN: "1" },
        stdio: ["ignore", "pipe", "ignore", { file: "/etc/hostname" }],
      },
    );
    const output = await read(child.streams[1]);
    expect(output).toContain("OWN=1");
    expect(output).not.toContain("secret");
    const opened = output.matchAll(/fd\/(\d+)$/gm);
    expect(Array.from(opened, ([, fd]) => fd)).toEqual(["1", "3"]);
  } finally {
    delete process.env["LAUNCHER_TEST_SECRET"];
  }
});

test("kills a process, or its whole group", async () => {
  const one = await start("exec sleep 60");
  one.kill();
  expect(await one.closed).toMatchObject({ code: null, signal: "SIGKILL" });
  const group = await start("sleep 60 & echo started; wait", { isGroup: true });
  await new Promise((resolve) => group.streams[1]?.once("data", resolve));
  group.kill();
  // The output ends when the last process of the group has exited.
  expect(await group.closed).toMatchObject({ signal: "SIGKILL" });
});

test("rejects a process that cannot be started, with the reason", async () => {
  await expect(start("true", { cwd: "/missing" })).rejects.toThrow(
    /could not be started: .*ENOENT/,
  );
  await expect(
    start("true", { stdio: ["ignore", "ignore", "ignore", { file: "/missing" }] }),
  ).rejects.toThrow(/\/missing/);
});

test("starts again after the launcher was killed, and reports its processes as killed", async () => {
  const child = await start("echo started; exec setpriv --pdeathsig KILL sleep 60");
  await new Promise((resolve) => child.streams[1]?.once("data", resolve));
  const launchers = descendants(process.pid).filter(isLauncher);
  expect(launchers).toHaveLength(1);
  for (const { pid } of launchers) process.kill(pid, "SIGKILL");
  const starting = start("echo again").catch((error: unknown) => error);
  expect(await child.closed).toMatchObject({ signal: "SIGKILL" });
  await starting;
  const next = await start("echo again");
  expect(await read(next.streams[1])).toBe("again\n");
});

test("closes a connection that does not know a token, and gives it nothing", async () => {
  await start("true");
  const address = /@(toolhost-[0-9a-f]{32})/.exec(readFileSync("/proc/net/unix", "latin1"))?.[1];
  const stranger = connect({ path: `\0${address}` });
  stranger.write("0".repeat(32));
  expect(await text(stranger)).toBe("");
  const child = await start("echo own");
  expect(await read(child.streams[1])).toBe("own\n");
});
