import anyAscii from "any-ascii";
import { toolLimits } from "@toolhost/contract";
import type { Database } from "#db";
import { randomSuffix } from "#lib/ids";
import { createLruMap } from "#lib/lru";

const suffixLength = 4;

/** A new name: the title, written with ASCII letters, in snake_case with a random suffix. */
export function makeToolName(title: string): string {
  const words = anyAscii(title.normalize("NFKC"))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, toolLimits.name - suffixLength - 1)
    .replace(/^_+|_+$/g, "");
  return `${words === "" ? "tool" : words}_${randomSuffix(suffixLength)}`;
}

/** The names that this process has chosen last. Those of an import are all chosen before any is in the database. */
const recentNames = createLruMap<string, true>(10_000);

/** A new name that no tool of any workspace has, including archived ones and those that are not saved yet. */
export async function unusedToolName(
  { kysely }: Database,
  title: string,
  makeName: (title: string) => string = makeToolName,
): Promise<string> {
  for (;;) {
    const name = makeName(title);
    if (recentNames.get(name)) continue;
    // Before the query, so that no other request chooses it meanwhile.
    recentNames.set(name, true);
    const tool = await kysely
      .selectFrom("tools")
      .select("id")
      .where("name", "=", name)
      .executeTakeFirst();
    if (tool === undefined) return name;
  }
}
