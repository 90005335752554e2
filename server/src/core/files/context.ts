import type { Outbound } from "@toolhost/sandbox";
import type { LimitsContext } from "#core/limits";
import type { FileStorage } from "./file-storage.ts";

export type FilesContext = LimitsContext & {
  fileStorage: FileStorage;
  /** Sends the service's own requests to other servers. */
  outbound: Outbound;
};
