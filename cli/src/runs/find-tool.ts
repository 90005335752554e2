import type { Client } from "@toolhost/client";
import { toolNamePattern } from "@toolhost/contract/tool-name";
import { isFolderName } from "../project/folder-name.ts";
import { readLock } from "../project/lock-file.ts";
import type { Project } from "../project/project.ts";
import { toFolder } from "../project/typed-folder.ts";
import type { Session } from "../session.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { command } from "../terminal/shell-command.ts";

type InProject = Pick<Session, "project" | "cwd">;

/**
 * The name on the server of what the user typed: a folder of the project, a name, or a name without its suffix if only one tool
 * has it.
 */
export async function findToolName(
  session: InProject,
  client: Client,
  typed: string,
): Promise<string> {
  return withToolName({ session, client, typed }, async (name, isLinked) =>
    isLinked === true ? name : (await client.tools.get(name)).name,
  );
}

/** Uses the name on the server of what the user typed. A full name is not looked up first, which saves a round trip. */
export async function withToolName<T>(
  { session, client, typed }: { session: InProject; client: Client; typed: string },
  use: (name: string, isLinked?: true) => Promise<T>,
): Promise<T> {
  const project = await session.project();
  if (project === undefined) return tryNames(client, typed, use);
  const folder = toFolder(project, session.cwd, typed);
  const linked = (await readLock(project.root)).get(folder)?.name;
  if (linked !== undefined) return use(linked, true);
  return tryNames(client, folder, use).catch(async (error: unknown) => {
    throw isUnknownTool(error) && (await hasTool(project, folder)) ? notPublished(folder) : error;
  });
}

const isUnknownTool = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "tool_not_found";

/** Whether the project has a tool in a folder, valid or not. */
async function hasTool(project: Project, folder: string): Promise<boolean> {
  if (!isFolderName(folder)) return false;
  const { readLocalTool } = await import("../project/local-tools.ts");
  return readLocalTool(project, folder).then(
    (tool) => tool !== undefined,
    () => true,
  );
}

const notPublished = (folder: string) =>
  new CliError(`The tool in the folder "${folder}" is not published yet.`, {
    code: "tool_not_found",
    exitCode: exitCodes.notFound,
    next: [command`toolhost push ${folder}`, command`toolhost dev ${folder}`],
  });

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
      if (!isUnknownTool(error)) throw error;
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
      code: only === undefined ? "tool_not_found" : "ambiguous_tool",
      exitCode: exitCodes.notFound,
      next:
        only === undefined
          ? ["toolhost tools"]
          : names.map((name) => command`toolhost run ${name}`),
    },
  );
}
