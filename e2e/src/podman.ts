import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const debian = "localhost/toolhost-test/debian";
const node = "localhost/toolhost-test/node";

/** The image that `buildImage` builds. */
export const image = "localhost/toolhost-test/toolhost";

/** Whether this machine can run containers as root, and create their base image. */
export const hasPodman =
  process.getuid?.() === 0 &&
  ["podman", "runc", "debootstrap", "newuidmap"].every(
    (program) => spawnSync("which", [program]).status === 0,
  );

/** Runs a program and returns its standard output. Throws with its standard error if it fails. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(program, args, { maxBuffer: 64 * 1024 * 1024, cwd: "/" });
  return stdout.trim();
}

/** Runs podman and returns its output. */
export type Podman = (...args: string[]) => Promise<string>;

// runc works with every version of control groups.
const command = ["podman", "--runtime", "runc"] as const;

/** Podman as root. */
export const rootful: Podman = (...args) => run(...command, ...args);

/** Limits that the machine's own ones allow. The defaults of podman are often higher. */
export const ulimits = ["--ulimit", "nofile=20000:20000", "--ulimit", "nproc=30000:30000"];

/**
 * Builds the image from the Dockerfile. The images that it starts from are made of Debian packages, because tests reach no
 * image registry. Podman stores those for later runs.
 */
export async function buildImage(): Promise<void> {
  if (!(await exists(debian))) await buildDebian();
  if (!(await exists(node))) await buildNode();
  const bases = [`DEBIAN_IMAGE=${debian}`, `NODE_IMAGE=${node}`];
  await build(root, image, ...bases.flatMap((base) => ["--build-arg", base]));
}

const exists = (name: string) =>
  rootful("image", "exists", name).then(
    () => true,
    () => false,
  );

const build = (folder: string, name: string, ...options: string[]) =>
  rootful(
    "build",
    "--network",
    "host",
    ...ulimits,
    // Without images of each step, which nothing would remove.
    "--layers=false",
    "--format=docker",
    "--tag",
    name,
    ...options,
    folder,
  );

/** The equivalent of debian:trixie-slim, with the certificates that this machine trusts. */
async function buildDebian(): Promise<void> {
  await withFolder(async (folder) => {
    const packages = ["--variant=minbase", "--include=ca-certificates"];
    await run("debootstrap", ...packages, "trixie", join(folder, "root"), await debianMirror());
    await cp(
      "/etc/ssl/certs/ca-certificates.crt",
      join(folder, "root/etc/ssl/certs/ca-certificates.crt"),
    );
    await run("tar", "--create", `--file=${folder}/root.tar`, `--directory=${folder}/root`, ".");
    await rootful("import", join(folder, "root.tar"), debian);
  });
}

/** The mirror that this machine installs packages from. */
async function debianMirror(): Promise<string> {
  const targets = ["Created-By: Packages", "Component: main", "Origin: Debian", "Label: Debian"];
  const mirrors = await run("apt-get", "indextargets", "--format", "$(REPO_URI)", ...targets);
  return mirrors.split("\n")[0] || "http://deb.debian.org/debian";
}

/** The equivalent of node:24-trixie-slim, with the Node.js and npm that run the tests. */
async function buildNode(): Promise<void> {
  await withFolder(async (folder) => {
    const npm = dirname(dirname(await realpath((await run("which", "npm")) || "npm")));
    await mkdir(join(folder, "usr/local/bin"), { recursive: true });
    await cp(process.execPath, join(folder, "usr/local/bin/node"));
    await cp(npm, join(folder, "usr/local/lib/node_modules/npm"), { recursive: true });
    const lines = [
      `FROM ${debian}`,
      "RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1",
      "COPY usr /usr",
      "RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm",
      "ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt",
    ];
    await writeFile(join(folder, "Dockerfile"), lines.join("\n"));
    await build(folder, node);
  });
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-image-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Podman as an unprivileged user, with a copy of the image. */
export async function prepareRootless(): Promise<{ podman: Podman; remove: () => Promise<void> }> {
  const user = "toolhost-test";
  await run("useradd", "--create-home", user).catch(ignore);
  const id = await run("id", "-u", user);
  const runtime = `/run/user/${id}`;
  await mkdir(runtime, { recursive: true, mode: 0o700 });
  await run("chown", user, runtime);
  const environment = [
    `PATH=${process.env["PATH"]}`,
    `HOME=/home/${user}`,
    `XDG_RUNTIME_DIR=${runtime}`,
  ];
  const identity = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--init-groups"] as const;
  const podman: Podman = (...args) =>
    run(...identity, "env", "--ignore-environment", ...environment, ...command, ...args);
  await withFolder(async (folder) => {
    await rootful("save", `--output=${folder}/image.tar`, image);
    await run("chown", "--recursive", user, folder);
    await podman("load", `--input=${folder}/image.tar`);
  });
  const remove = async () => {
    await podman("system", "reset", "--force");
    await run("userdel", "--remove", user);
    await rm(runtime, { recursive: true, force: true });
  };
  return { podman, remove };
}

const ignore = () => undefined;
