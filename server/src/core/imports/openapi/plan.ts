import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import type { Method, Pagination, SecurityScheme, Server } from "./types.ts";

/** How a parameter of a path, query, header or cookie is written (OpenAPI, "Style Values"). */
export type Serialization = {
  style: "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";
  isExploded: boolean;
  isReserved: boolean;
  /** The value is JSON text. */
  isJson: boolean;
};

/** Where a field of the input goes. `whole` is the entire body, and `parts` are several parts of a form. */
export type Place =
  | "path"
  | "query"
  | "header"
  | "cookie"
  | "body"
  | "parts"
  | "file"
  | "files"
  | "whole";

/** A field of the tool's input. */
export type Field = {
  name: string;
  /** The name that the API uses. */
  wireName: string;
  place: Place;
  schema: Json;
  /** Shown instead of a label made of the name. */
  title?: string;
  description: string;
  isRequired: boolean;
  serialization: Serialization;
  example: Json | undefined;
  /** The expression that is sent instead of a value of the input. */
  value?: string;
};

export type BodyKind = "none" | "json" | "form" | "multipart" | "text" | "binary";

export type BodyPlan = {
  kind: BodyKind;
  mediaType: string;
  isRequired: boolean;
  fields: Field[];
  notes: string[];
};

/** What the document says that the tool returns: members of a JSON object, a list, other JSON, text, a file, or nothing. */
export type OutputKind = "object" | "list" | "value" | "text" | "file" | "none";

/** The description starts with the documented type, which is not checked: answers differ from their documents. */
export type OutputProperty = {
  name: string;
  description: string;
  /** Missing if the document declares none, or several. */
  type?: OutputType;
  /** JSON Schema of the elements of an array. */
  items?: JsonObject;
  /** JSON Schema of the members of an object. */
  properties?: JsonObject;
};

export type OutputType = "string" | "number" | "integer" | "boolean" | "object" | "array";

export type OutputPlan = {
  kind: OutputKind;
  mediaType: string | undefined;
  /** Whether the response may have no end, such as events. */
  isStream: boolean;
  properties: OutputProperty[];
};

/** Where the value for the next page is in an answer. */
export type PageSource =
  | { from: "member"; path: string[]; isUrl: boolean }
  | { from: "link" }
  | { from: "lastItem" };

export type PaginationPlan = Pagination & {
  wireName: string;
  isNumber: boolean;
  source?: PageSource;
};

/** Everything that a tool is made of, except what the caller of the import chooses: server and credentials. */
export type OperationPlan = {
  key: string;
  operationId: string | undefined;
  method: Method;
  path: string;
  title: string;
  description: string;
  tags: string[];
  isDeprecated: boolean;
  /** From the operation or its path; undefined if those of the document apply. */
  ownServers: Server[] | undefined;
  servers: Server[];
  /** The schemes of each alternative, those that tools support first. An empty one needs no credentials. */
  alternatives: SecurityScheme[][];
  fields: Field[];
  body: BodyPlan;
  inputSchema: JsonObject;
  output: OutputPlan;
  pagination: PaginationPlan | undefined;
  needsConfirmation: boolean;
  example: JsonObject | undefined;
  notes: string[];
};
