import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { dropDatabase, templateVariable } from "../../server/testing/template.ts";
import type { Template } from "../../server/testing/template.ts";

const firstService = fileURLToPath(new URL("first-service.ts", import.meta.url));

/**
 * Runs before the first test on a database: starts a service, stops it gracefully and saves its data. Tests start their
 * services from a copy, as after a restart, unless they test the first start.
 */
export default async function makeTemplate(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const env = { ...process.env, ...project.config.env };
  const variable = templateVariable(env["TEST_DIALECT"]);
  if (process.env[variable] !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "toolhost-template-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [firstService, folder], { env });
    const { database } = JSON.parse(stdout) as Template;
    const file = join(folder, "template.json");
    await writeFile(file, stdout, { mode: 0o600 });
    process.env[variable] = file;
    return async () => {
      await dropDatabase(env["TEST_DATABASE_URL"], database);
      await remove();
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
