import type { Json } from "../json.ts";

/** Methods of requests that tools can send. */
export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/** A name with its value, in the order of the command. */
export type Pair = { name: string; value: string };

/** A part of a form; a file has no value. */
export type FormPart = (Pair & { mediaType?: string }) | { name: string; isFile: true };

export type RequestBody =
  | { kind: "none" }
  | { kind: "json"; mediaType: string; value: Json }
  | { kind: "form"; fields: Pair[] }
  | { kind: "multipart"; parts: FormPart[] }
  | { kind: "text"; mediaType: string; text: string }
  | { kind: "file"; mediaType: string };

/** The request of a curl command. */
export type CurlRequest = {
  method: Method;
  /** With scheme, host and path only. */
  url: string;
  query: Pair[];
  /** Without those that curl or a browser adds, and without cookies. */
  headers: Pair[];
  cookies: Pair[];
  user: { name: string; password: string } | undefined;
  body: RequestBody;
  /** What the tool does differently from the command. */
  notes: string[];
};
