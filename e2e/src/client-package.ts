import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { clientPackage } from "../../packaging/client-package.ts";
import { pack } from "../../packaging/pack.ts";
import { buildClient } from "../../sdk/build.ts";

/** A project outside the repository with the packed client, and `use-client.js`. */
export type ClientProject = {
  folder: string;
  /** Writes a module that prints what `useClient` returns for this target as JSON. */
  writeProgram(name: string, target: object): Promise<string>;
  remove(): Promise<void>;
};

export async function installClient(): Promise<ClientProject> {
  await buildClient();
  const folder = await mkdtemp(join(tmpdir(), "toolhost-client-"));
  const { filename } = await pack(clientPackage(), folder);
  const manifest = { private: true, type: "module" };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const install = ["install", "--offline", "--no-audit", "--omit=peer", `./${filename}`];
  await promisify(execFile)("npm", install, { cwd: folder });
  await cp(join(import.meta.dirname, "use-client.js"), join(folder, "use-client.js"));
  return {
    folder,
    writeProgram: async (name, target) => {
      const program = `import { useClient } from "./use-client.js";
        console.log(JSON.stringify(await useClient(${JSON.stringify(target)})));\n`;
      await writeFile(join(folder, name), program);
      return join(folder, name);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What `useClient` returns. */
export const expectedUse: object = {
  output: { doubled: 42 },
  isLargeComplete: true,
  text: "größe",
  code: "tool_not_found",
};
