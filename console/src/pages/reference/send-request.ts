import { currentWorkspaceId } from "#api/current-workspace";
import { idempotencyHeader } from "./request.ts";
import type { PreparedRequest } from "./request.ts";

/** More text than this is not shown, and the rest of it is not read. */
export const maxShownBytes = 262_144;

export type ApiResult = {
  status: number;
  timeMs: number;
  headers: readonly (readonly [string, string])[];
  body: ResultBody;
};

type ResultBody =
  | { kind: "text"; text: string; isTruncated: boolean }
  | { kind: "bytes"; blob: Blob; mediaType: string };

type SendOptions = {
  apiKey: string;
  file: File | undefined;
  signal: AbortSignal;
  /** Called with each part of a text, since streams may not end. */
  onResult: (result: ApiResult) => void;
};

/** Sends a request with the API key or, without one, with the session and the workspace of this tab. */
export async function sendRequest(request: PreparedRequest, options: SendOptions): Promise<void> {
  const { apiKey, signal, onResult } = options;
  const startedAt = performance.now();
  const response = await fetch(request.url, {
    method: request.method,
    headers: headersOf(request, apiKey),
    body: bodyOf(request, options.file),
    credentials: apiKey === "" ? "same-origin" : "omit",
    cache: "no-store",
    signal,
  });
  const report = (body: ResultBody) =>
    onResult({
      status: response.status,
      timeMs: performance.now() - startedAt,
      headers: [...response.headers],
      body,
    });
  await readBody(response, report);
}

function headersOf({ headers, needsNewId, body }: PreparedRequest, apiKey: string): Headers {
  const all = new Headers(headers.map(([name, value]) => [name, value]));
  const workspaceId = currentWorkspaceId();
  if (apiKey !== "") all.set("Authorization", `Bearer ${apiKey}`);
  else if (workspaceId !== undefined) all.set("X-Workspace-Id", workspaceId);
  if (needsNewId) all.set(idempotencyHeader, crypto.randomUUID());
  if (body !== undefined && body.kind !== "form") all.set("Content-Type", body.mediaType);
  return all;
}

function bodyOf({ body }: PreparedRequest, file: File | undefined): BodyInit | null {
  if (body === undefined) return null;
  if (body.kind === "text") return body.text;
  if (body.kind === "bytes") return file ?? null;
  const form = new FormData();
  if (file !== undefined) form.append(body.field, file);
  return form;
}

async function readBody(response: Response, report: (body: ResultBody) => void): Promise<void> {
  const mediaType = response.headers.get("content-type")?.split(";")[0] ?? "";
  if (mediaType !== "" && !/^text\/|json$/.test(mediaType)) {
    report({ kind: "bytes", blob: await response.blob(), mediaType });
    return;
  }
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let byteCount = 0;
  report({ kind: "text", text, isTruncated: false });
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) break;
    const left = maxShownBytes - byteCount;
    byteCount += value.length;
    text += decoder.decode(value.subarray(0, left), { stream: true });
    report({ kind: "text", text, isTruncated: byteCount > maxShownBytes });
    if (byteCount > maxShownBytes) break;
  }
  await reader?.cancel();
}

/** JSON with indentation, or the text as it is. */
export function prettyText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
