import type { Outbound } from "@toolhost/sandbox";
import type { LimitsContext } from "#core/limits";
import type { Seal } from "#lib/seal";
import type { FileStorage } from "./file-storage.ts";

export type FilesContext = LimitsContext & {
  fileStorage: FileStorage;
  /** Encrypts download links. */
  linkSeal: Seal;
  /** Sends the service's own requests to other servers. */
  outbound: Outbound;
};
