/**
 * Like `fetch`, with the uploaded fraction of the body, from 0 to 1. Only XMLHttpRequest reports upload progress. Throws if the
 * connection fails.
 */
export function fetchWithUploadProgress(
  url: URL,
  { method = "POST", headers, body, signal }: RequestInit,
  onUploadProgress: (fraction: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onUploadProgress(loaded / total);
    });
    request.addEventListener("load", () => {
      const type = request.getResponseHeader("content-type") ?? "";
      const { status } = request;
      resolve(new Response(request.responseText, { status, headers: { "content-type": type } }));
    });
    for (const end of ["error", "abort", "timeout"] as const) {
      request.addEventListener(end, () => reject(new TypeError(`The request ended: ${end}.`)));
    }
    signal?.addEventListener("abort", () => request.abort());
    request.send(body instanceof FormData || typeof body === "string" ? body : null);
  });
}
