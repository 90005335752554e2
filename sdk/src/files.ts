import type { UploadedFile } from "./api.ts";
import { backoffMs, delay } from "./delay.ts";
import { ConnectionError, isApiError } from "./errors.ts";
import { attempt, readJson } from "./http.ts";
import type { CallOptions, Http } from "./http.ts";
import type { Settings } from "./options.ts";

/** What can be uploaded. */
export type FileData = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | ReadableStream<Uint8Array>;

/** Options of an upload. */
export type UploadOptions = CallOptions & {
  /** Default: the name of a `File`, otherwise `file`. */
  fileName?: string | undefined;
  /** Default: the type of a `Blob`, otherwise `application/octet-stream`. */
  mimeType?: string | undefined;
  /** The size of a stream in bytes. Without it, the stream is read into memory first. */
  size?: number | undefined;
};

/** Uploads and downloads. */
export type Files = {
  /** Uploads a file. Pass its `fileId` in a field of a tool's input that is one of its `fileFields`. */
  upload(data: FileData, options?: UploadOptions): Promise<UploadedFile>;
  /** The response with the bytes of a file: read it with `blob()`, `arrayBuffer()` or from `body`. */
  download(fileId: string, options?: CallOptions): Promise<Response>;
};

/** Larger files are sent to an upload URL, as a lost connection there does not repeat the request that creates the file. */
const maxFormBytes = 4 * 1024 * 1024;
/** How long a transfer may take, on a connection of 20 kB per second. */
const msPerByte = 1 / 20;

export function createFiles(http: Http, settings: Settings): Files {
  return {
    upload: async (data, options = {}) => {
      const { fileName, mimeType, size, ...call } = options;
      const isStream = data instanceof ReadableStream;
      const source = isStream && size === undefined ? await new Response(data).blob() : data;
      const body =
        source instanceof ReadableStream || source instanceof Blob ? source : new Blob([source]);
      const info = {
        fileName: fileName ?? (body instanceof File ? body.name : "file"),
        mimeType: mimeType ?? ((body instanceof Blob && body.type) || "application/octet-stream"),
      };
      if (body instanceof ReadableStream || body.size > maxFormBytes) {
        const bytes = body instanceof Blob ? body.size : (size ?? 0);
        return uploadToUrl({ http, settings }, { ...info, size: bytes }, body, call);
      }
      const form = new FormData();
      form.append("file", new Blob([body], { type: info.mimeType }), info.fileName);
      const request = { ...call, body: form, waitMs: body.size * msPerByte };
      return http("POST /upload", request, readJson<UploadedFile>);
    },
    download: (fileId, options) =>
      http(
        "GET /files/{fileId}",
        { ...options, headers: { accept: "*/*", ...options?.headers }, params: { fileId } },
        (response) => response,
      ),
  };
}

type Upload = { fileName: string; mimeType: string; size: number };

/** Requests an upload URL and sends the bytes to it. The URL accepts them once, so attempts can be repeated. */
async function uploadToUrl(
  { http, settings }: { http: Http; settings: Settings },
  info: Upload,
  body: Blob | ReadableStream<Uint8Array>,
  call: CallOptions,
): Promise<UploadedFile> {
  const announced = await http("POST /upload", { ...call, body: info }, readJson<UploadedFile>);
  const url = new URL(announced.uploadUrl ?? "");
  // `duplex` is required for streams, and unknown to the types of browsers.
  const init = { method: "PUT", body, duplex: "half" } as RequestInit;
  const timeoutMs = settings.requestTimeoutMs + info.size * msPerByte;
  for (let failures = 0; ; failures++) {
    try {
      const options = { signal: call.signal, timeoutMs, read: readJson<UploadedFile> };
      return await attempt(settings, url, init, options);
    } catch (error) {
      // The response of an earlier attempt was lost: the URL is used, because the file exists.
      if (failures > 0 && isApiError(error, "file_not_found")) {
        return await findUploaded(http, announced, call);
      }
      const isTransient =
        error instanceof ConnectionError || isApiError(error, "unavailable", "rate_limited");
      if (!isTransient || !(body instanceof Blob) || failures >= settings.maxRetries) throw error;
      await delay(Math.max(backoffMs(failures), retryAfterOf(error)), call.signal);
    }
  }
}

const retryAfterOf = (error: unknown) => (isApiError(error) ? (error.retryAfterMs ?? 0) : 0);

/** The uploaded file. Its hash is its entity tag. Throws `file_not_found` if the bytes did not arrive. */
function findUploaded(
  http: Http,
  announced: UploadedFile,
  call: CallOptions,
): Promise<UploadedFile> {
  const { uploadUrl: _, ...file } = announced;
  const request = { ...call, params: { fileId: file.fileId } };
  return http("HEAD /files/{fileId}", request, (response) => ({
    ...file,
    status: "ready",
    sha256: /[0-9a-f]{64}/.exec(response.headers.get("etag") ?? "")?.[0] ?? null,
  }));
}
