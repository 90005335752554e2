import type { Readable } from "node:stream";

/** Bytes from `start` to `end`, counted from 0 and both included. */
export type ByteRange = { start: number; end: number };

/** Stores the bytes of files. Keys consist of IDs that the service created. Failures are `unavailable`. */
export type FileStorage = {
  /** The local folder for bytes that are still arriving. */
  incomingDir: string;
  /** Stores a local file of `size` bytes. It may be moved or left in its folder. */
  put(key: string, path: string, size: number): Promise<void>;
  /** Throws if the key has no bytes. Destroying the stream stops the read. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Deletes the bytes. Succeeds if there are none. */
  remove(key: string): Promise<void>;
};

/** The key of a file's bytes. */
export function keyOf(file: { workspace_id: string; id: string }): string {
  return `${file.workspace_id}/${file.id}`;
}
