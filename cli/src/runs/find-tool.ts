import type { Client } from "@toolhost/client";
import { toolNamePattern } from "@toolhost/contract/tool-name";
import { readLock } from "../project/lock-file.ts";
import type { Session } from "../session.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { command } from "../terminal/shell-command.ts";

type InProject = Pick<Session, "project">;

/**
 * The name on the server of what the user typed: a folder of the project, a name, or a name without its suffix if only one tool
 * has it.
 */
export async function findToolName(
  session: InProject,
  client: Client,
  typed: string,
): Promise<string> {
  const linked = await findLinked(session, typed);
  if (linked !== undefined) return linked;
  return tryNames(client, typed, async (name) => (await client.tools.get(name)).name);
}

/** Uses the name on the server of what the user typed. A full name is not looked up first, which saves a round trip. */
export async function withToolName<T>(
  { session, client, typed }: { session: InProject; client: Client; typed: string },
  use: (name: string) => Promise<T>,
): Promise<T> {
  const linked = await findLinked(session, typed);
  return linked === undefined ? tryNames(client, typed, use) : use(linked);
}

async function findLinked({ project }: InProject, typed: string): Promise<string | undefined> {
  const found = await project();
  return found === undefined ? undefined : (await readLock(found.root)).get(typed)?.name;
}

/** Uses the name as it is, if it can be a full one, and otherwise the only tool that has it without its suffix. */
async function tryNames<T>(
  client: Client,
  typed: string,
  use: (name: string) => Promise<T>,
): Promise<T> {
  if (toolNamePattern.test(typed) && typed.length <= 64 && /_[a-z0-9]{4}$/.test(typed)) {
    try {
      return await use(typed);
    } catch (error) {
      const isUnknown =
        error instanceof Error && "code" in error && error.code === "tool_not_found";
      if (!isUnknown) throw error;
    }
  }
  return use(await findByBase(client, typed));
}

async function findByBase(client: Client, typed: string): Promise<string> {
  const base = typed.replaceAll("-", "_").toLowerCase();
  const names: string[] = [];
  for await (const { name } of client.tools.list({ limit: 200 })) {
    if (name.replace(/_[a-z0-9]{4}$/, "") === base) names.push(name);
  }
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  throw new CliError(
    only === undefined
      ? `There is no tool "${typed}".`
      : `Several tools are called "${typed}": ${names.join(", ")}.`,
    {
      code: "tool_not_found",
      exitCode: exitCodes.notFound,
      next:
        only === undefined
          ? ["toolhost tools"]
          : names.map((name) => command`toolhost run ${name}`),
    },
  );
}
