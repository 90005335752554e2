import type { CreateToolInput } from "@toolhost/contract";

/** What a document offers, without schemas. Texts are of the document: untrusted, in one line and shortened. */
export type DocumentSummary = {
  title: string;
  version: string;
  description: string;
  format: DocumentFormat;
  servers: Server[];
  securitySchemes: SecurityScheme[];
  operations: OperationSummary[];
  /** Operations that cannot become tools. */
  skipped: SkippedOperation[];
  /** What else is left out. */
  notes: string[];
  /** The OpenAPI document that a collection was converted into. Store it instead: collections contain saved secrets. */
  converted?: string;
};

export type DocumentFormat =
  | "swagger-2.0"
  | "openapi-3.0"
  | "openapi-3.1"
  | "openapi-3.2"
  | "postman-2.0"
  | "postman-2.1";

/** A server of the document. A relative URL is relative to the document's own URL. */
export type Server = { url: string; description: string; variables: ServerVariable[] };

export type ServerVariable = {
  name: string;
  default: string;
  choices: string[];
  description: string;
};

/** How an API authenticates its callers. `unsupported` includes mutual TLS and signatures. */
export type SecurityScheme = {
  /** The name in the document, by which operations refer to it. */
  name: string;
  kind: "api_key" | "bearer" | "basic" | "oauth2" | "unsupported";
  description: string;
  /** The names of the credentials that tools use: one, or for `basic` the user name's and the password's. */
  credentialNames: string[];
  /** Where an API key is sent. */
  apiKey?: { in: "header" | "query" | "cookie"; name: string };
  /** What the API expects in front of the key, such as `Bearer`, if the document says so. The credential contains it. */
  prefix?: string;
  /** What to enter as the value of the credential, in one sentence. */
  hint?: string;
  /** What a connection of kind `oauth2` can be created with, besides the client. */
  connection?: ConnectionPrefill;
};

export type ConnectionPrefill = {
  grantType: "authorization_code" | "client_credentials";
  /** Of OpenID Connect. The other URLs are then missing. */
  issuer?: string;
  authorizationUrl?: string;
  tokenUrl?: string;
  scopes: string[];
};

export type OperationSummary = {
  /** Identifies the operation in its document: `GET /repos/{owner}`. */
  key: string;
  operationId: string | undefined;
  method: Method;
  path: string;
  title: string;
  /** What the document says about it, without what the tool's description adds. */
  description: string;
  tags: string[];
  isDeprecated: boolean;
  /** Size of the tool's input schema, as JSON. */
  schemaBytes: number;
  /** The alternatives by which it authenticates: names of the schemes that are used together. An empty one needs none. */
  security: string[][];
  /** The OAuth scopes that it needs, by the name of the scheme. */
  scopes: Record<string, string[]>;
  /** Of everything that the tool is made from: changes exactly when the document changes the tool. */
  hash: string;
};

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

export type SkippedOperation = { key: string; reason: string };

export type GenerateOptions = {
  /** Keys of operations, see {@link OperationSummary}. */
  keys: readonly string[];
  /** Replaces the document's servers. */
  serverUrl?: string | undefined;
  /** Where the document was read, for relative server URLs. */
  documentUrl?: string | undefined;
  /** Names of credentials by security scheme: one, or for `basic` the user name's and the password's. */
  credentialNames?: Readonly<Record<string, readonly string[]>> | undefined;
  /** How the API authenticates, instead of what the document declares: some documents declare nothing. Empty for not at all. */
  authentication?: readonly ChosenAuthentication[] | undefined;
};

export type ChosenAuthentication = Pick<SecurityScheme, "apiKey" | "credentialNames"> & {
  kind: Exclude<SecurityScheme["kind"], "unsupported">;
};

export type GeneratedTools = {
  tools: GeneratedTool[];
  /** Operations that cannot become tools, or that the document does not contain. */
  skipped: SkippedOperation[];
};

/** A tool made from one request. The definition passes the validation of a save. */
export type RequestTool = {
  definition: CreateToolInput;
  /** What its author should know: what was left out or is open. */
  notes: string[];
};

/** A tool made from an operation. */
export type GeneratedTool = RequestTool & {
  key: string;
  /** How the tool reads further pages. */
  pagination?: Pagination;
  /** The same as in {@link OperationSummary}. */
  hash: string;
};

/** The tool's input field that selects a page, and the output field with its next value, if there is one. */
export type Pagination = {
  kind: "page" | "offset" | "cursor" | "link";
  input: string;
  output?: string;
};
