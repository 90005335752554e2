import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { platformPackages, stripPrograms } from "./platform-packages.ts";
import { root } from "./repository.ts";
import { serverPackage } from "./server-package.ts";
import { writeContents } from "./write-contents.ts";
import type { Contents } from "./write-contents.ts";

const outDir = join(root, "dist/packages");

/**
 * Writes the packages for this platform as archives to `dist/packages`, or with `--unpacked FOLDER` into a folder as npm would
 * install them. The console and the server must be built.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { unpacked: { type: "string" } } });
  const platform = platformPackages();
  const server = serverPackage(platform.map(({ manifest }) => manifest));
  if (values.unpacked === undefined) await pack([server, ...platform]);
  else await unpack(values.unpacked, server, platform);
}

async function unpack(folder: string, server: Contents, platform: readonly Contents[]) {
  await writeContents(folder, server);
  for (const contents of platform) {
    const place = join(folder, "node_modules", contents.manifest.name);
    await writeContents(place, contents);
    await stripPrograms(place, contents);
    // As `npm ci` links it, so that scripts find it on every platform.
    if (contents.files.has("bin/node")) {
      const link = join(folder, "node_modules/.bin/node");
      await mkdir(dirname(link), { recursive: true });
      await symlink(join("..", contents.manifest.name, "bin/node"), link);
    }
  }
}

async function pack(packages: readonly Contents[]): Promise<void> {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  const staging = await mkdtemp(join(outDir, "staging-"));
  try {
    for (const contents of packages) {
      const folder = join(staging, contents.manifest.name);
      await writeContents(folder, contents);
      await stripPrograms(folder, contents);
      const options = ["--json", "--ignore-scripts", "--pack-destination", outDir];
      const { stdout } = await promisify(execFile)("npm", ["pack", ...options], {
        cwd: folder,
        maxBuffer: 64 * 1024 * 1024,
      });
      process.stdout.write(describe(stdout));
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

type Packed = { filename: string; size: number; unpackedSize: number };

function describe(json: string): string {
  // A list, or an object by package name, depending on the version of npm.
  const [packed] = Object.values(JSON.parse(json) as Record<string, Packed>);
  if (packed === undefined) throw new Error("npm packed nothing");
  const { filename, size, unpackedSize } = packed;
  return `dist/packages/${filename}: ${megabytes(size)}, installed ${megabytes(unpackedSize)}\n`;
}

await main();
