import type { Json } from "../json.ts";
import type { Method, RequestBody } from "./curl-request.ts";

type InputPlace = "path" | "query" | "header" | "body" | "file" | "whole";

/** A user name or a password. */
export type LoginPart = { credential: string } | { value: string };

export type DraftField =
  | { from: "input"; in: InputPlace; name: string; sample?: Json }
  | { from: "fixed"; in: Exclude<InputPlace, "file">; name: string; value: Json }
  | {
      from: "credential";
      in: "path" | "query" | "header" | "body";
      name: string;
      credential: string;
      prefix: string;
    }
  | { from: "login"; user: LoginPart; password: LoginPart };

/** The body of `POST /drafts/from-request`. */
export type RequestDraft = {
  title: string;
  method: Method;
  server: string;
  path: string;
  body: { kind: RequestBody["kind"]; mediaType?: string };
  accept?: string;
  fields: DraftField[];
};
