import { z } from "zod";
import { approvalNeeds } from "./approval.ts";

const version = z.int().min(1);

/** Body of `POST /tools/:name/install`. */
export const installToolInput = z
  .strictObject({
    version: version.optional().meta({
      description:
        "The live version that you have looked at. Without it, the version that is live at this moment.",
    }),
  })
  .meta({ id: "InstallToolInput" });
export type InstallToolInput = z.infer<typeof installToolInput>;

/** Body of `POST /tools/:name/install/update`. */
export const acceptUpdateInput = z
  .strictObject({
    version: version.meta({ description: "The live version that you have looked at." }),
  })
  .meta({ id: "AcceptUpdateInput" });
export type AcceptUpdateInput = z.infer<typeof acceptUpdateInput>;

/** Why a person has to review an update: what it asks for beyond the version in use, or what it changes. */
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
        "Why a person has to review it: what it asks for beyond the version in use, and `input`, `output` or `texts` when the inputs, the output schema or what people and agents read has changed. Updates without a reason can be accepted automatically.",
    }),
    new: approvalNeeds.meta({ description: "Credentials and hosts that it asks for in addition." }),
    codeChanged: z.boolean().meta({ description: "The code itself stays with its author." }),
    changes: z.array(toolChange),
  })
  .meta({ id: "ToolUpdate" });
export type ToolUpdate = z.infer<typeof toolUpdate>;

/** Answer of `GET /tools/:name/install`. */
export const toolInstall = z
  .object({
    name: z.string(),
    version: z.int().meta({ description: "The version that this workspace uses." }),
    installedBy: z.string(),
    installedAt: z.iso.datetime(),
    acceptedBy: z
      .string()
      .nullable()
      .meta({ description: "Who accepted the version; null when the workspace's setting did." }),
    acceptedAt: z.iso.datetime(),
    update: toolUpdate.nullable(),
  })
  .meta({
    id: "ToolInstall",
    description: "An installed tool: the version that was accepted, and a newer one.",
  });
export type ToolInstall = z.infer<typeof toolInstall>;
