import type { CreateToolInput, ToolSource } from "@toolhost/contract";
import type { Bundle } from "#core/builds";
import type { BuildingContext } from "../context.ts";
import { ServiceError } from "#core/kernel";
import type { DraftVersionTable } from "#db";
import { sha256 } from "#lib/hash";
import { buildTool } from "./build-tool.ts";
import { checkDefinition } from "./check-definition.ts";
import { findNewestBuild, insertBuild, touchBuild } from "./draft-version-store.ts";
import { capDraftBytes, pruneBuilds } from "./tool-caps.ts";
import { findVersion } from "./tool-store.ts";
import { splitDraft } from "./version-row.ts";

/** Identifies a draft to build. */
export type DraftRef = {
  id: string;
  workspaceId: string;
  userId: string;
  /** The tool version that the draft is based on. */
  base: { toolId: string; version: number } | undefined;
};

const attempts = 5;

/**
 * Builds a draft for a run, reusing the last build if the definition is unchanged, and returns its version. The version
 * belongs to no tool, so it is never listed or live. Throws `invalid_tool` with every problem, and `quota_exceeded`.
 */
export async function buildDraft(
  context: BuildingContext,
  draft: DraftRef,
  definition: CreateToolInput,
  signal?: AbortSignal,
): Promise<number> {
  await checkDefinition(context, draft, definition);
  const { source, rest } = splitDraft(definition);
  const digest = sha256(JSON.stringify([source, rest]));
  for (let attempt = 0; attempt < attempts; attempt++) {
    const now = context.clock.now();
    const newest = await findNewestBuild(context.db, draft.id);
    if (newest?.digest === digest) {
      const touch = { query: touchBuild(context.db, newest, now), mustChange: true } as const;
      if (await context.db.transact([touch])) return newest.version;
    } else {
      const bundle = await bundleOf(context, draft, definition.source, { newest, signal });
      const version = (newest?.version ?? 0) + 1;
      const row = { ...buildRow(draft, { version, digest, source, rest }, bundle), used_at: now };
      const insert = { query: insertBuild(context.db, row), mustChange: true } as const;
      const prune = pruneBuilds(context, { draftId: draft.id, newest: version });
      const cap = capDraftBytes(context, draft.workspaceId);
      if (await context.db.transact([insert, ...prune, ...cap])) return version;
    }
  }
  throw new ServiceError("unavailable", "Another request is building this draft. Retry shortly.", {
    retryAfterSeconds: 1,
  });
}

type Content = { version: number; digest: string; source: string; rest: string };

function buildRow(
  draft: DraftRef,
  { version, digest, source, rest }: Content,
  bundle: Bundle,
): Omit<DraftVersionTable, "used_at"> {
  return {
    draft_id: draft.id,
    version,
    workspace_id: draft.workspaceId,
    user_id: draft.userId,
    tool_id: draft.base?.toolId ?? null,
    digest,
    definition: rest,
    source,
    bundle: bundle.code,
    bundle_hash: bundle.hash,
    source_map: bundle.sourceMap,
    saved_with_right: 0,
    own_approved: 0,
    shared_approved: 0,
  };
}

/** The bundle of a draft's code, reusing that of its last run or of its tool if the code is the same. */
export async function bundleOfDraft(
  context: BuildingContext,
  draft: DraftRef,
  source: ToolSource,
  signal?: AbortSignal,
): Promise<Bundle> {
  const newest = await findNewestBuild(context.db, draft.id);
  return bundleOf(context, draft, source, { newest, signal });
}

type Circumstances = {
  newest: DraftVersionTable | undefined;
  signal: AbortSignal | undefined;
};

async function bundleOf(
  context: BuildingContext,
  { base, workspaceId, userId }: DraftRef,
  source: ToolSource,
  { newest, signal }: Circumstances,
): Promise<Bundle> {
  const text = JSON.stringify(source);
  if (newest?.source === text) return toBundle(newest);
  const live = base && (await findVersion(context.db, base.toolId, base.version));
  return live?.source === text
    ? toBundle(live)
    : buildTool(context, { workspaceId, userId }, source, signal);
}

type Built = Pick<DraftVersionTable, "bundle" | "bundle_hash" | "source_map">;

function toBundle(row: Built): Bundle {
  return { code: row.bundle, hash: row.bundle_hash, sourceMap: row.source_map };
}
