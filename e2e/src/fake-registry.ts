import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Files of a package by path. A text that starts with `-> ` makes a symbolic link to the rest. */
export type PackageFiles = Record<string, string>;

/** A package registry with a test's packages, which records other requests. */
export type FakeRegistry = {
  url: string;
  add(name: string, manifest: object, files: PackageFiles): void;
  /** Requested paths that belong to no package. */
  strays: string[];
  close(): void;
};

/** Starts a registry on a local port. */
export async function startFakeRegistry(): Promise<FakeRegistry> {
  const packages = new Map<string, { manifest: object; tarball: Buffer }>();
  const strays: string[] = [];
  let url = "";
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const isTarball = path.endsWith(".tgz");
    const name = path.replace(/^tarballs\/|\.tgz$/g, "");
    const found = packages.get(name);
    if (found === undefined) {
      strays.push(path);
      response.writeHead(404).end("{}");
    } else if (isTarball) response.end(found.tarball);
    else response.end(JSON.stringify(packument(name, found, url)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("It does not listen");
  url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    strays,
    add: (name, manifest, files) => {
      packages.set(name, {
        manifest,
        tarball: pack({ name, version: "1.0.0", ...manifest }, files),
      });
    },
    close: () => server.close(),
  };
}

function packument(name: string, found: { manifest: object; tarball: Buffer }, url: string) {
  const { manifest, tarball } = found;
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const dist = { tarball: `${url}/tarballs/${name}.tgz`, integrity };
  const version = { name, version: "1.0.0", ...manifest, dist };
  return { name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } };
}

function pack(manifest: object, files: PackageFiles): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "fake-registry-"));
  try {
    const all = { ...files, "package.json": JSON.stringify(manifest) };
    for (const [path, text] of Object.entries(all)) {
      const file = join(folder, "package", path);
      mkdirSync(dirname(file), { recursive: true });
      if (text.startsWith("-> ")) symlinkSync(text.slice(3), file);
      else writeFileSync(file, text);
    }
    const { status } = spawnSync("tar", ["czf", join(folder, "all.tgz"), "-C", folder, "package"]);
    if (status !== 0) throw new Error("tar did not pack a package");
    return readFileSync(join(folder, "all.tgz"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
