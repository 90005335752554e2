import type { UploadedFile } from "./api.ts";
import { readJson } from "./http.ts";
import type { CallOptions, Http } from "./http.ts";
import { watchBody } from "./watch-silence.ts";

/** What can be uploaded. A stream is read into memory, so that an upload can be repeated after a lost connection. */
export type FileData = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | ReadableStream<Uint8Array>;

/** Options of an upload. */
export type UploadOptions = CallOptions & {
  /** Default: the name of a `File`, otherwise `file`. */
  fileName?: string | undefined;
  /** Default: the type of a `Blob`, otherwise `application/octet-stream`. */
  mimeType?: string | undefined;
};

/** Uploads and downloads. */
export type Files = {
  /** Uploads a file. Pass its `fileId` in a field of a tool's input that is one of its `fileFields`. */
  upload(data: FileData, options?: UploadOptions): Promise<UploadedFile>;
  /**
   * The response with the bytes of a file: read it with `blob()`, `arrayBuffer()` or from `body`. Reading throws
   * `ConnectionError` if no data arrives for `requestTimeoutMs`.
   */
  download(fileId: string, options?: CallOptions): Promise<Response>;
};

/** How long an upload may take in addition, on a connection of 20 kB per second. */
const msPerByte = 1 / 20;

export function createFiles(http: Http): Files {
  return {
    upload: async (data, { fileName, mimeType, ...call } = {}) => {
      const blob = await toBlob(data);
      const name = fileName ?? (blob instanceof File ? blob.name : "file");
      const type = mimeType ?? (blob.type || "application/octet-stream");
      const request = {
        ...call,
        query: { fileName: name },
        headers: { ...call.headers, "content-type": type },
        body: blob,
        waitMs: blob.size * msPerByte,
      };
      return http("POST /upload", request, readJson<UploadedFile>);
    },
    download: (fileId, options) => {
      const headers = { accept: "*/*", ...options?.headers };
      const request = { ...options, headers, params: { fileId } };
      return http("GET /files/{fileId}", request, watchBody);
    },
  };
}

function toBlob(data: FileData): Blob | Promise<Blob> {
  if (data instanceof Blob) return data;
  return data instanceof ReadableStream ? new Response(data).blob() : new Blob([data]);
}
