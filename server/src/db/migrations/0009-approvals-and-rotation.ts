import type { Kysely } from "kysely";

/** What tools are approved to get, what runs did with credentials, and which keys the nodes know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("tool_approvals")
    .addColumn("workspace_id", "text", (c) => c.notNull().references("workspaces.id"))
    .addColumn("tool_id", "text", (c) => c.notNull().references("tools.id"))
    // Empty for the workspace's own credentials.
    .addColumn("owner_user_id", "text", (c) => c.notNull())
    .addColumn("needs", "text", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("by_user_id", "text", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("how", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("tool_approvals_key", ["tool_id", "workspace_id", "owner_user_id"])
    .execute();
  await db.schema.alterTable("runs").addColumn("credentials", "text").execute();
  await db.schema.alterTable("runs").addColumn("sealed_input", "text").execute();
  await db.schema
    .alterTable("nodes")
    .addColumn("key_ids", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await approveLiveVersions(db);
}

/** The tables as they are at this step, as far as it reads and writes them. */
type Tables = {
  tools: {
    id: string;
    workspace_id: string;
    owner_user_id: string;
    live_version: number;
    updated_at: number;
  };
  tool_versions: { tool_id: string; version: number; definition: string };
  credentials: { workspace_id: string; owner_user_id: string; name: string };
  tool_approvals: {
    workspace_id: string;
    tool_id: string;
    owner_user_id: string;
    needs: string;
    version: number;
    by_user_id: string;
    at: number;
    how: string;
  };
};

type Definition = {
  credentials?: { name: string; hosts: string[]; expose?: boolean }[];
  allowedHosts?: string[];
};

/** Nothing that works stops working: whoever has a credential of a tool's approves what it asks for now. */
async function approveLiveVersions(db: Kysely<Tables>): Promise<void> {
  const kept = await db.selectFrom("credentials").selectAll().execute();
  const tools = await db
    .selectFrom("tools")
    .innerJoin("tool_versions", (join) =>
      join
        .onRef("tool_versions.tool_id", "=", "tools.id")
        .onRef("tool_versions.version", "=", "tools.live_version"),
    )
    .select([
      "tools.id",
      "tools.workspace_id",
      "tools.owner_user_id",
      "tools.live_version",
      "tools.updated_at",
      "tool_versions.definition",
    ])
    .execute();
  for (const tool of tools) {
    const { credentials = [], allowedHosts = [] } = JSON.parse(tool.definition) as Definition;
    if (credentials.length === 0) continue;
    const needs = JSON.stringify({
      credentials: credentials.map(({ name, hosts, expose }) => ({
        name,
        hosts: hosts.length === 0 ? ["*"] : hosts,
        expose: expose === true,
      })),
      allowedHosts,
    });
    const owners = kept
      .filter(({ workspace_id }) => workspace_id === tool.workspace_id)
      .filter(({ name }) => credentials.some((credential) => credential.name === name))
      .map(({ owner_user_id }) => owner_user_id);
    // The workspace's, also where it keeps none yet: its tools were open to what it would keep.
    for (const owner of new Set(["", ...owners])) {
      const row = {
        workspace_id: tool.workspace_id,
        tool_id: tool.id,
        owner_user_id: owner,
        needs,
        version: tool.live_version,
        by_user_id: owner === "" ? tool.owner_user_id : owner,
        at: tool.updated_at,
        how: "upgrade",
      };
      await db.insertInto("tool_approvals").values(row).execute();
    }
  }
}
