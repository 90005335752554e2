import { Buffer } from "node:buffer";
import { setPriority } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { stop, transform } from "esbuild";
import { bundle } from "./bundle.ts";
import { RefusedError, refusePackages } from "./messages.ts";
import type { BuildJob } from "./messages.ts";
import { openLink } from "./service-link.ts";
import type { ServiceLink } from "./service-link.ts";

/** Runs one build: receives a job, requests packages from the service, sends the result and exits. */
async function work(): Promise<void> {
  // Starts esbuild's process before the job arrives.
  await transform("");
  const link = openLink(process.stdin, process.stdout);
  const job = await link.job;
  try {
    await serve(link, job);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    await link.finish({ type: "refused" }, Buffer.from(JSON.stringify(error.problems)));
  }
  process.exit(0);
}

/** Builds with packages run at a lower priority than the service, runs and other builds. */
const nicenessWithPackages = 5;

async function serve(link: ServiceLink, job: BuildJob): Promise<void> {
  const folder = process.cwd();
  const declared = Object.keys(job.dependencies);
  if (job.kind === "newest") {
    setPriority(nicenessWithPackages);
    const { findNewestVersion } = await import("./find-newest-version.ts");
    const version = await findNewestVersion(declared, (name) => link.packument(name));
    await link.finish({ type: "newest" }, Buffer.from(JSON.stringify(version ?? null)));
    return;
  }
  if (declared.length > 0) await install(link, job, { folder, kind: job.kind });
  if (job.kind === "types") {
    const { readPackageTypes } = await import("./read-package-types.ts");
    const types = await readPackageTypes(folder, declared, job.limits.types);
    await link.finish({ type: "types" }, Buffer.from(JSON.stringify(types)));
    return;
  }
  const maxBytes = job.limits.bundleBytes;
  const { code, sourceMap } = await bundle({ source: job.source, declared, folder, maxBytes });
  const [codeBytes, mapBytes] = [Buffer.from(code), Buffer.from(sourceMap)];
  await link.finish(
    { type: "bundle", codeBytes: codeBytes.length },
    Buffer.concat([codeBytes, mapBytes]),
  );
}

type Installation = { folder: string; kind: "bundle" | "types" };

async function install(
  link: ServiceLink,
  job: BuildJob,
  { folder, kind }: Installation,
): Promise<void> {
  const { limits } = job;
  // Most builds have no packages, and these libraries take half of the time that the process needs to start.
  const { resolveTree } = await import("./resolve-tree.ts");
  const { unpack } = await import("./unpack.ts");
  // esbuild's threads have the priority that it was started with, so it is restarted.
  await stop();
  setPriority(nicenessWithPackages);
  const tree = await resolveTree(job.dependencies, (name) => link.packument(name), limits.packages);
  const archives = new Map<string, Promise<Buffer | undefined>>();
  const archiveOf = ({ name, dist }: (typeof tree)[number]["manifest"]) => {
    const key = JSON.stringify([name, dist]);
    const archive = archives.get(key) ?? link.tarball(name, dist);
    archives.set(key, archive);
    return archive;
  };
  for (const { manifest } of tree) archiveOf(manifest).catch(() => {});
  const max = { files: limits.files, bytes: limits.unpackedBytes };
  const room = { ...max, max };
  for (const { folder: place, manifest } of tree) {
    const archive = await archiveOf(manifest);
    if (archive === undefined) {
      const { name, version } = manifest;
      throw refusePackages(`The registry has no archive of the package ${name} ${version}.`);
    }
    await unpack(manifest.name, archive, { folder: join(folder, place), kind, room });
  }
}

void work();
