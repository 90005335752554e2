import { findFreePort } from "./service-process.ts";
import { image, ulimits } from "./podman.ts";
import type { Podman } from "./podman.ts";
import { until } from "./until.ts";

/** The service in a container. */
export type Container = {
  baseUrl: string;
  /** Runs a program in the container, as the user of the service. */
  exec(...command: string[]): Promise<string>;
  log(): Promise<string>;
  /** What `GET /readyz` returns. */
  ready(): Promise<{ status: number; body: unknown }>;
  /** Sends SIGTERM and returns the exit status, or 137 if the container had to be killed after half a minute. */
  stop(): Promise<number>;
  /** Removes the container and its data. */
  remove(): Promise<void>;
};

let started = 0;

/** Options of `podman run` that docs/operate/install.md recommends. */
export const hardening = (seccomp: string): string[] => [
  "--read-only",
  "--tmpfs=/tmp:mode=1777",
  "--cap-drop=ALL",
  "--security-opt=no-new-privileges",
  `--security-opt=seccomp=${seccomp}`,
];

/** Starts the image with a seccomp profile, and waits until the service responds. */
export async function startContainer(podman: Podman, seccomp: string): Promise<Container> {
  started += 1;
  const name = `toolhost-test-${process.pid}-${started}`;
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  // The test calls the health check itself, which podman leaves to systemd.
  const options = ["--detach", "--no-healthcheck", "--network=host", `--env=PORT=${port}`];
  const data = `--volume=${name}:/data`;
  await podman("run", `--name=${name}`, ...options, data, ...ulimits, ...hardening(seccomp), image);
  const ready = async () => {
    const response = await fetch(`${baseUrl}/readyz`);
    return { status: response.status, body: await response.json() };
  };
  const log = () => podman("logs", name);
  const remove = async () => {
    await podman("rm", "--force", "--time=0", name);
    await podman("volume", "rm", name);
  };
  const isUp = () => fetch(`${baseUrl}/healthz`).then((response) => response.ok, isNot);
  await until("the container responds", 120_000, isUp).catch(async (cause: unknown) => {
    const text = await log();
    await remove();
    throw new Error(`The container did not start:\n${text}`, { cause });
  });
  return {
    baseUrl,
    ready,
    log,
    exec: (...command) => podman("exec", name, ...command),
    stop: async () => {
      await podman("stop", "--time=30", name);
      return Number(await podman("inspect", "--format={{.State.ExitCode}}", name));
    },
    remove,
  };
}

const isNot = () => false;
