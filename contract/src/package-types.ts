import { z } from "zod";

/** Limits of the response with the types of all of a tool's packages. */
export const packageTypesLimits = {
  files: 6_000,
  bytes: 8 * 1024 * 1024,
} as const;

/** Response of `GET /drafts/{id}/package-types`. */
export const packageTypes = z
  .object({
    packages: z
      .array(
        z.object({
          name: z.string(),
          version: z.string().meta({ description: "The installed version." }),
          types: z.enum(["there", "none", "too_large"]).meta({
            description:
              "`there`: included in `files`, from the package or its `@types` package. `none`: the package has no types. `too_large`: omitted because of the size limit.",
          }),
        }),
      )
      .meta({ description: "The tool's declared dependencies." }),
    files: z
      .array(
        z.object({
          path: z.string().meta({
            description: 'Path with "/" separators, such as "node_modules/zod/index.d.ts".',
          }),
          text: z.string(),
        }),
      )
      .meta({
        description:
          "Declaration files, and the fields of each `package.json` that locate them, including those of transitive dependencies.",
      }),
  })
  .meta({ id: "PackageTypes", description: "Types of a draft's npm packages." });
export type PackageTypes = z.infer<typeof packageTypes>;
