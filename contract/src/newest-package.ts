import { z } from "zod";
import { packageName, packageVersion } from "./tool.ts";

/** Query of `GET /packages/newest`. */
export const newestPackageQuery = z.object({
  name: packageName.meta({ description: "The name of the npm package, such as `zod`." }),
});

/** Response of `GET /packages/newest`. */
export const newestPackage = z
  .object({
    name: z.string(),
    version: packageVersion.meta({
      description: "The version with the tag `latest`, or else the highest release.",
    }),
  })
  .meta({ id: "NewestPackage", description: "The newest version of an npm package." });
export type NewestPackage = z.infer<typeof newestPackage>;
