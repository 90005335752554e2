import { z } from "zod";
import { pageQuery } from "./query.ts";
import { tool, toolOrigins } from "./tool.ts";

/** Limits of what organizes tools. */
export const toolListLimits = {
  tags: 10,
  tag: 40,
  favorites: 200,
  views: 20,
  viewName: 60,
  viewParameters: 20,
} as const;

const tag = z
  .string()
  .max(toolListLimits.tag)
  .regex(
    /^[\p{Ll}\p{Lo}\p{N}]+(?:[-/][\p{Ll}\p{Lo}\p{N}]+)*$/u,
    'must be lower-case words with hyphens, such as "customer-care", and slashes between levels, such as "billing/refunds"',
  );

/** Body of `PUT /tools/{name}/tags`. */
export const setTagsInput = z
  .strictObject({ tags: z.array(tag).max(toolListLimits.tags) })
  .meta({ id: "SetTagsInput", description: "All tags of the tool in this workspace." });

/** Response of `PUT /tools/{name}/tags` and `GET /tags`. */
export const toolTags = z.object({ tags: z.array(z.string()) }).meta({ id: "ToolTags" });
export type ToolTags = z.infer<typeof toolTags>;

const name = z.string().max(64);

/** A saved combination of filters. */
const toolView = z.strictObject({
  page: z.enum(["runs", "audit"]).optional().meta({
    description: "The list in the console; the one of tools if omitted.",
  }),
  name: z.string().trim().min(1).max(toolListLimits.viewName),
  search: z
    .record(z.string().max(20), z.string().max(200))
    .refine(
      (search) => Object.keys(search).length <= toolListLimits.viewParameters,
      `must have at most ${toolListLimits.viewParameters} parameters`,
    )
    .meta({ description: "The search parameters of the list in the console." }),
});

/** What a user has set for themselves in a workspace. */
export const preferences = z
  .object({
    favorites: z.array(name).max(toolListLimits.favorites).meta({ description: "Names of tools." }),
    views: z.array(toolView).max(toolListLimits.views),
    isChecklistDismissed: z.boolean(),
  })
  .meta({ id: "Preferences", description: "What you have set for yourself in this workspace." });
export type Preferences = z.infer<typeof preferences>;

/** Body of `PUT /preferences`. Omitted fields stay unchanged. */
export const updatePreferencesInput = preferences
  .partial()
  .strict()
  .meta({ id: "UpdatePreferencesInput", description: "The preferences to change." });
export type UpdatePreferencesInput = z.infer<typeof updatePreferencesInput>;

export const toolSorts = ["newest", "name", "updated", "last-run", "success", "runs"] as const;
export const toolStates = ["failing", "unused", "update"] as const;

/** Query of `GET /tools/summaries`. */
export const listToolSummariesQuery = pageQuery.extend({
  origin: z
    .enum([...toolOrigins, "favorites", "recent"])
    .optional()
    .meta({
      description:
        "Filters by origin: made by you, made by others in your workspace, installed, your favorites, or run by you recently.",
    }),
  tag: z.string().max(toolListLimits.tag).optional(),
  owner: z.string().max(64).optional().meta({ description: "The ID of the author." }),
  visibility: tool.shape.visibility.optional(),
  state: z.enum(toolStates).optional().meta({
    description:
      "`failing`: at least half of the recent runs failed. `unused`: no recent runs. `update`: an update waits for a review.",
  }),
  sort: z.enum(toolSorts).default("newest").meta({
    description: "By name, or starting with the highest of the other values.",
  }),
});
export type ListToolSummariesQuery = z.infer<typeof listToolSummariesQuery>;

/** A tool in lists for people, without its schemas and with facts about recent runs. */
export const toolSummary = tool
  .pick({ name: true, title: true, visibility: true, installed: true, mine: true, update: true })
  .extend({
    description: z.string().meta({ description: "At most 300 characters of it." }),
    ownerId: z.string().nullable().meta({
      description: "The author. Null for tools of other workspaces.",
    }),
    tags: z.array(z.string()),
    isFavorite: z.boolean(),
    updatedAt: z.iso.datetime(),
    lastRunAt: z.iso.datetime().nullable(),
    runs: z
      .object({
        completed: z.int(),
        failed: z.int(),
        perDay: z.array(z.int()).meta({ description: "In the last seven days, oldest first." }),
      })
      .meta({
        description:
          "Finished runs of the last seven days that you can see, among the latest 5,000 of the workspace.",
      }),
  })
  .meta({ id: "ToolSummary", description: "A tool in lists for people." });
export type ToolSummary = z.infer<typeof toolSummary>;
