import type { Client } from "@toolhost/client";
import { toolNamePattern } from "@toolhost/contract/tool-name";
import { readLock } from "../project/lock-file.ts";
import type { Session } from "../session.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";

/**
 * The name on the server of what the user typed: a folder of the project, a name, or a name without its suffix if only one tool
 * has it.
 */
export async function findToolName(
  { project }: Pick<Session, "project">,
  client: Client,
  typed: string,
): Promise<string> {
  const found = await project();
  const link = found === undefined ? undefined : (await readLock(found.root)).get(typed);
  if (link !== undefined) return link.name;
  if (toolNamePattern.test(typed) && typed.length <= 64 && /_[a-z0-9]{4}$/.test(typed)) {
    const exact = await client.tools.get(typed).catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "tool_not_found")
        return undefined;
      throw error;
    });
    if (exact !== undefined) return exact.name;
  }
  return findByBase(client, typed);
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
      next: only === undefined ? ["toolhost tools"] : names.map((name) => `toolhost run ${name}`),
    },
  );
}
