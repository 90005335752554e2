import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { buildCli } from "../cli/build.ts";
import { buildClient } from "../sdk/build.ts";
import { cliPackage } from "./cli-package.ts";
import { clientPackage } from "./client-package.ts";
import { pack } from "./pack.ts";
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
  await buildCli();
  const platform = platformPackages();
  const server = serverPackage(platform.map(({ manifest }) => manifest));
  if (values.unpacked === undefined) {
    await buildClient();
    await packAll([server, ...platform, clientPackage(), cliPackage()]);
  } else await unpack(values.unpacked, server, platform);
}

async function unpack(folder: string, server: Contents, platform: readonly Contents[]) {
  await writeContents(folder, server);
  for (const contents of platform) {
    const place = join(folder, "node_modules", contents.manifest.name);
    await writeContents(place, contents);
    await stripPrograms(place, contents);
    // As `npm ci` links it, so that scripts find it on every platform.
    if (contents.files.has("bin/node")) {
      await linkCommand(folder, "node", join("..", contents.manifest.name, "bin/node"));
    }
  }
  await linkCommand(folder, "toolhost", "../../bin/toolhost.mjs");
}

/** Links a command from the folder that the image has in its search path. */
async function linkCommand(folder: string, name: string, target: string): Promise<void> {
  const link = join(folder, "node_modules/.bin", name);
  await mkdir(dirname(link), { recursive: true });
  await symlink(target, link);
}

async function packAll(packages: readonly Contents[]): Promise<void> {
  await rm(outDir, { recursive: true, force: true });
  await mkdir(outDir, { recursive: true });
  for (const contents of packages) {
    const { filename, size, unpackedSize } = await pack(contents, outDir);
    const sizes = `${megabytes(size)}, installed ${megabytes(unpackedSize)}`;
    process.stdout.write(`dist/packages/${filename}: ${sizes}\n`);
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

await main();
