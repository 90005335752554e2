import { z } from "zod";
import { approvalNeeds } from "./approval.ts";

const version = z.int().min(1);

/** Body of `POST /tools/:name/install`. */
export const installToolInput = z
  .strictObject({
    version: version.optional().meta({
      description: "The live version that you reviewed. By default, the current live version.",
    }),
  })
  .meta({ id: "InstallToolInput" });
export type InstallToolInput = z.infer<typeof installToolInput>;

/** Body of `POST /tools/:name/install/update`. */
export const acceptUpdateInput = z
  .strictObject({
    version: version.meta({ description: "The live version that you reviewed." }),
  })
  .meta({ id: "AcceptUpdateInput" });
export type AcceptUpdateInput = z.infer<typeof acceptUpdateInput>;

/** Why an update must be reviewed: additional access that it requests, or parts that it changes. */
export const toolUpdateReasons = [
  "credentials",
  "expose",
  "hosts",
  "input",
  "output",
  "texts",
  "limits",
  "confirm",
  "isolation",
  "retries",
] as const;
export type ToolUpdateReason = (typeof toolUpdateReasons)[number];

const toolChange = z
  .object({
    field: z.string().meta({ description: "A field of the tool, such as `allowedHosts`." }),
    before: z.json(),
    after: z.json(),
  })
  .meta({ id: "ToolChange" });
export type ToolChange = z.infer<typeof toolChange>;

/** A newer version of an installed tool, with its differences. */
const toolUpdate = z
  .object({
    version: z.int(),
    publishedAt: z.iso.datetime(),
    asksFor: z.array(z.enum(toolUpdateReasons)).meta({
      description:
        "Why the update must be reviewed: additional access that it requests, and `input`, `output` or `texts` if the input schema, the output schema, or descriptions have changed. Updates without a reason can be accepted automatically.",
    }),
    new: approvalNeeds.meta({ description: "Additional credentials and hosts that it requests." }),
    codeChanged: z
      .boolean()
      .meta({ description: "Whether the code has changed. Only the author can see the code." }),
    changes: z.array(toolChange),
  })
  .meta({ id: "ToolUpdate" });
export type ToolUpdate = z.infer<typeof toolUpdate>;

/** Response of `GET /tools/:name/install`. */
export const toolInstall = z
  .object({
    name: z.string(),
    version: z.int().meta({ description: "The version that this workspace uses." }),
    installedBy: z.string(),
    installedAt: z.iso.datetime(),
    acceptedBy: z
      .string()
      .nullable()
      .meta({ description: "Who accepted the version. Null if it was accepted automatically." }),
    acceptedAt: z.iso.datetime(),
    update: toolUpdate.nullable(),
  })
  .meta({
    id: "ToolInstall",
    description: "An installed tool: the accepted version, and an available update.",
  });
export type ToolInstall = z.infer<typeof toolInstall>;
