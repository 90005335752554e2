import type {
  CreateToolInput,
  PublishedFrom,
  Tool,
  ToolDetail,
  ToolSource,
} from "@toolhost/contract";
import { inputsWithoutDescription } from "@toolhost/tool-schema";
import type { ToolTable, ToolVersionTable } from "#db";
import { toTimestamp } from "#lib/clock";
import { toPointer } from "#lib/pointer";

/** Fields of a version that are stored together as JSON: all that queries and lists do not need separately. */
export type ToolDefinition = Omit<
  CreateToolInput,
  "title" | "description" | "visibility" | "source"
>;

/** A tool at one of its versions. */
export type ToolRecord = {
  id: string;
  workspaceId: string;
  ownerUserId: string;
  name: string;
  visibility: CreateToolInput["visibility"];
  version: number;
  /** The live version; workspaces that installed the tool may use another one. */
  liveVersion: number;
  title: string;
  description: string;
  definition: ToolDefinition;
  createdAt: number;
  updatedAt: number;
  publishedFrom: PublishedFrom | undefined;
  /** Whether runs are refused until a change of its import is reviewed. */
  isOnHold: boolean;
};

/** A tool with its code. */
export type SourcedTool = ToolRecord & { source: ToolSource };

/** Columns that make up a {@link ToolRecord}. */
export type ToolRow = Omit<
  ToolTable,
  "archived_at" | "archived_by" | "draft_id" | "revision" | "pinned_hash"
> &
  Pick<ToolVersionTable, "version" | "title" | "description" | "definition"> &
  Partial<Pick<ToolTable, "pinned_hash"> & Pick<ToolVersionTable, "item_hash">>;

export function toRecord(row: ToolRow): ToolRecord {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    ownerUserId: row.owner_user_id,
    name: row.name,
    visibility: row.visibility as ToolRecord["visibility"],
    version: row.version,
    liveVersion: row.live_version,
    title: row.title,
    description: row.description,
    definition: readDefinition(row.definition),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    publishedFrom: readPublishedFrom(row),
    isOnHold: row.pinned_hash != null && row.pinned_hash !== row.item_hash,
  };
}

/** Where in Git a tool was last published from. */
export function readPublishedFrom({
  published_from: text,
}: Pick<ToolTable, "published_from">): PublishedFrom | undefined {
  return text === null ? undefined : (JSON.parse(text) as PublishedFrom);
}

type LaterField = "limits" | "idempotent" | "confirm";
type StoredDefinition = Omit<ToolDefinition, LaterField> &
  Partial<Pick<ToolDefinition, LaterField>>;

/** The definition with an input schema that has `properties` and `required`, as clients expect. */
export function normalizeDefinition(definition: ToolDefinition): ToolDefinition {
  const inputSchema = { properties: {}, required: [], ...definition.inputSchema };
  return { ...definition, inputSchema };
}

/** A stored definition, with the defaults of fields that did not exist when it was saved. */
export function readDefinition(text: string): ToolDefinition {
  const stored = JSON.parse(text) as StoredDefinition;
  return normalizeDefinition({ limits: {}, idempotent: false, confirm: false, ...stored });
}

export function toSourcedTool(row: ToolRow & Pick<ToolVersionTable, "source">): SourcedTool {
  return { ...toRecord(row), source: JSON.parse(row.source) as ToolSource };
}

/** Name of a draft of a new tool in run records. No tool can have such a name. */
export function draftName(draftId: string): string {
  return `${draftMark}${draftId}`;
}

const draftMark = "draft-";

/** URL of the tool's or draft's page in the console. */
export function toolUrl(baseUrl: string, name: string): string {
  if (name.startsWith(draftMark)) return `${baseUrl}/drafts/${name.slice(draftMark.length)}`;
  return `${baseUrl}/tools/${name}`;
}

/** The tool as shown in lists. */
function presentTool(record: ToolRecord, baseUrl: string): Tool {
  const { definition } = record;
  return {
    name: record.name,
    description: record.description,
    inputSchema: definition.inputSchema,
    outputSchema: definition.outputSchema,
    fileFields: definition.fileFields,
    title: record.title,
    version: record.version,
    visibility: record.visibility,
    confirm: definition.confirm,
    credentials: definition.credentials,
    toolUrl: toolUrl(baseUrl, record.name),
    updatedAt: toTimestamp(record.updatedAt),
  };
}

type Viewer = { workspaceId: string; userId: string };

/** The same for a viewer: includes whether the tool is installed, and whether it is their own. */
export function presentFor(viewer: Viewer, record: ToolRecord, baseUrl: string): Tool {
  return { ...presentTool(record, baseUrl), ...relationTo(viewer, record) };
}

/** The same for authors: includes where in Git the tool was published from, which searches leave out. */
export function presentForAuthor(viewer: Viewer, record: ToolRecord, baseUrl: string): Tool {
  const shown = presentFor(viewer, record, baseUrl);
  const { publishedFrom, isOnHold } = record;
  return {
    ...shown,
    ...(isOnHold ? { isOnHold } : {}),
    ...(shown.installed === true || publishedFrom === undefined ? {} : { publishedFrom }),
  };
}

function relationTo(
  viewer: Viewer,
  record: ToolRecord,
): Pick<Tool, "installed" | "mine" | "update"> {
  if (record.workspaceId !== viewer.workspaceId) {
    const { version, liveVersion } = record;
    return liveVersion === version
      ? { installed: true }
      : { installed: true, update: { version: liveVersion } };
  }
  return record.ownerUserId === viewer.userId ? { mine: true } : {};
}

/** The full definition of a tool for a viewer; includes the code only in the author's workspace. */
export function presentToolDetail(
  viewer: Viewer,
  record: SourcedTool,
  baseUrl: string,
): ToolDetail {
  const { definition } = record;
  const shown = presentForAuthor(viewer, record, baseUrl);
  return {
    ...shown,
    ...(shown.installed === true ? {} : { source: record.source }),
    allowedHosts: definition.allowedHosts,
    timeoutMs: definition.timeoutMs,
    limits: definition.limits,
    isolation: definition.isolation,
    idempotent: definition.idempotent,
    examples: definition.examples,
    ...warningsOf(definition),
    createdAt: toTimestamp(record.createdAt),
  };
}

const maxWarnings = 20;

function warningsOf({ inputSchema }: ToolDefinition): Pick<ToolDetail, "warnings"> {
  const names = inputsWithoutDescription(inputSchema).slice(0, maxWarnings);
  if (names.length === 0) return {};
  const message = "has no description, which agents need to fill it in";
  return {
    warnings: names.map((name) => ({
      path: toPointer(["inputSchema", "properties", name]),
      message,
    })),
  };
}
