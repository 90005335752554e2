import { z } from "zod";

/** Bounds of what is answered of the types of a tool's packages, all of them together. */
export const packageTypesLimits = {
  files: 6_000,
  bytes: 8 * 1024 * 1024,
} as const;

/** Answer of `GET /drafts/{id}/package-types`. */
export const packageTypes = z
  .object({
    packages: z
      .array(
        z.object({
          name: z.string(),
          version: z.string().meta({ description: "The version that is installed." }),
          types: z.enum(["there", "none", "too_large"]).meta({
            description:
              "`there`: among the files, its own or those of its `@types` package; `none`: it has none; `too_large`: left out.",
          }),
        }),
      )
      .meta({ description: "The packages that the tool names." }),
    files: z
      .array(
        z.object({
          path: z
            .string()
            .meta({ description: 'Such as "node_modules/zod/index.d.ts", with "/" between.' }),
          text: z.string(),
        }),
      )
      .meta({
        description:
          "Declarations, and of each `package.json` what finds them. Those of packages that others need are among them.",
      }),
  })
  .meta({ id: "PackageTypes", description: "Types of the npm packages of a draft." });
export type PackageTypes = z.infer<typeof packageTypes>;
