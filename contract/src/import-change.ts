import { z } from "zod";
import { maxItemsPerRequest, publish } from "./import-item.ts";
import { pageQuery } from "./query.ts";
import { jsonObject } from "./json-object.ts";

/** A difference between a tool and the document or server that it came from. */
export const importChange = z
  .object({
    key: z.string(),
    kind: z.enum(["changed", "removed"]),
    toolName: z.string(),
    isEdited: z.boolean().meta({
      description:
        "The tool was edited after the import. Applying the change discards the edits, a draft combines both.",
    }),
    isOnHold: z.boolean().meta({
      description: "Runs are refused with `definition_changed` until the change is applied.",
    }),
    hash: z.string().meta({
      description: "Identifies the live version, and what applying the change publishes.",
    }),
    before: jsonObject.meta({ description: "The definition of the live version." }),
    after: jsonObject.nullable().meta({
      description: "The definition that applying the change publishes. Null if it was removed.",
    }),
    generated: jsonObject.nullable().meta({
      description:
        "The definition that the import made before, with which edits and changes are compared. Null if it is unknown, or the tool was not edited.",
    }),
    parts: z
      .array(z.object({ part: z.string(), changedBy: z.enum(["edit", "source", "both"]) }))
      .meta({
        description:
          "The parts of `before` and `after` that differ, such as `description`, `inputSchema` or `code`, and which side changed them. A draft needs a pick for those that `both` changed.",
      }),
    draftId: z.string().nullable().meta({
      description: "Your draft of this change. Null if you have none.",
    }),
    notes: z.array(z.string()),
  })
  .meta({ id: "ImportChange" });
export type ImportChange = z.infer<typeof importChange>;

/** Query of `GET /imports/{id}/changes`. */
export const listImportChangesQuery = pageQuery.extend({
  toolName: z.string().max(64).optional().meta({
    description: "Lists only the change of this tool.",
  }),
});

/** Body of `POST /imports/{id}/changes`. */
export const applyImportChangesInput = z
  .strictObject({
    changes: z
      .array(
        z.strictObject({
          toolName: z.string().max(64),
          hash: z.string().max(100).meta({ description: "The `hash` of the change you reviewed." }),
          discardEdits: z.boolean().default(false).meta({
            description: "Required to publish the change of a tool that was edited.",
          }),
          picks: z
            .record(z.string().max(100), z.enum(["edited", "changed"]))
            .default({})
            .meta({
              description:
                "For the draft of a tool that was edited: which side to take of parts that both changed.",
            }),
        }),
      )
      .min(1)
      .max(maxItemsPerRequest)
      .refine(
        (all) => new Set(all.map(({ toolName }) => toolName)).size === all.length,
        "must not repeat a tool",
      ),
    publish: publish.meta({
      description:
        "`true` publishes the changes, and archives the tools of removed items. `false` creates drafts, which combine edits with the change.",
    }),
  })
  .meta({ id: "ApplyImportChangesInput" });
export type ApplyImportChangesInput = z.infer<typeof applyImportChangesInput>;
