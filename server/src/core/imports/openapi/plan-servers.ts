import { isObject, objectsAt, own, textAt } from "@toolhost/tool-schema/json";
import type { Json, JsonObject } from "@toolhost/tool-schema/json";
import { OpenApiError } from "./errors.ts";
import { objectAt } from "./open-document.ts";
import { toLine } from "./text.ts";
import type { Server, ServerVariable } from "./types.ts";

/** Of any URL in a document that is shown. */
export const maxUrlLength = 2_048;
const maxServers = 50;
const maxVariables = 20;
const maxChoices = 100;
const maxNameLength = 100;
const maxValueLength = 200;

/** The servers that an object of the document declares; undefined if it declares none. */
export function serversOf(holder: JsonObject): Server[] | undefined {
  const servers = objectsAt(holder, "servers").flatMap((server) => {
    const url = textAt(server, "url");
    if (url === undefined || url.length > maxUrlLength) return [];
    const description = toLine(textAt(server, "description"), 200);
    return [{ url, description, variables: variablesOf(objectAt(server, "variables")) }];
  });
  return servers.length === 0 ? undefined : servers.slice(0, maxServers);
}

/** Servers as a document declares them, with those of Swagger 2. */
function declaredServers(root: JsonObject): Server[] {
  const declared = serversOf(root);
  if (declared !== undefined) return declared;
  const host = textAt(root, "host");
  const basePath = textAt(root, "basePath") ?? "/";
  if (host === undefined && basePath.length > maxUrlLength) return [];
  if (host === undefined) return [{ url: basePath, description: "", variables: [] }];
  const schemes = own(root, "schemes");
  const known = (Array.isArray(schemes) ? schemes : []).filter(
    (scheme) => scheme === "https" || scheme === "http",
  );
  const usable = known.length === 0 ? ["https"] : known.toSorted().toReversed();
  return [...new Set(usable)].flatMap((scheme) => {
    const url = `${scheme}://${host}${basePath}`;
    return url.length > maxUrlLength ? [] : [{ url, description: "", variables: [] }];
  });
}

/** The servers of a document without a user name, a password and a query, which are no part of a base URL. */
export function documentServers(root: JsonObject): Server[] {
  return declaredServers(root).map((server) => {
    const [address = ""] = server.url.split(/[?#]/, 1);
    return { ...server, url: address.replace(/\/\/[^/]*@/, "//") };
  });
}

function variablesOf(variables: JsonObject): ServerVariable[] {
  const declared = Object.entries(variables).filter(([name]) => name.length <= maxNameLength);
  return declared.slice(0, maxVariables).flatMap(([name, variable]) => {
    if (!isObject(variable)) return [];
    const choices = own(variable, "enum");
    const values = Array.isArray(choices)
      ? choices.map(toText).filter(Boolean).slice(0, maxChoices)
      : [];
    return [
      {
        name,
        default: toText(own(variable, "default")) || (values[0] ?? ""),
        choices: values,
        description: toLine(textAt(variable, "description"), 200),
      },
    ];
  });
}

/** Shortened values would be other values, so long ones are left out. */
function toText(value: Json | undefined): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return text.length > maxValueLength ? "" : text;
}

export type Target = {
  /** Without a slash at the end. */
  base: string;
  /** As in `allowedHosts`. */
  host: string;
  notes: string[];
};

type Declared = {
  /** Of the operation or its path. */
  own: readonly Server[] | undefined;
  /** Of the document. */
  all: readonly Server[];
};

/**
 * The server that a tool calls: the one that the user chose, or the first that the document declares. Variables have
 * their default values. Throws `OpenApiError` (`server_missing`) if no absolute HTTP address results.
 */
export function chooseServer(
  { own: declared, all }: Declared,
  { serverUrl, documentUrl }: { serverUrl?: string | undefined; documentUrl?: string | undefined },
): Target {
  if (serverUrl !== undefined) {
    // An operation must not redirect input and credentials away from the server that the user chose.
    const known = [...all, ...(declared ?? [])].find(({ url }) => url === serverUrl);
    return targetOf(known ?? { url: serverUrl, variables: [] }, documentUrl);
  }
  const usual = all[0] ?? { url: "/", variables: [] };
  const [chosen] = declared ?? [];
  if (chosen === undefined) return targetOf(usual, documentUrl);
  const target = targetOf(chosen, documentUrl);
  if (target.host === hostOf(usual, documentUrl)) return target;
  const note = `Requests go to ${toLine(target.host, 300)}, which this operation names.`;
  return { ...target, notes: [...target.notes, note] };
}

function hostOf(server: Addressed, documentUrl: string | undefined): string | undefined {
  try {
    return targetOf(server, documentUrl).host;
  } catch (error) {
    if (error instanceof OpenApiError) return undefined;
    throw error;
  }
}

type Addressed = Pick<Server, "url" | "variables">;

function targetOf({ url: written, variables }: Addressed, documentUrl: string | undefined): Target {
  const notes: string[] = [];
  const filled = written.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = variables.find((variable) => variable.name === name)?.default ?? "";
    if (value === "") {
      throw missing(
        `The server's address has the variable "${name.slice(0, 60)}" without a value.`,
      );
    }
    notes.push(`The server's address uses "${toLine(value, 100)}" for "${toLine(name, 60)}".`);
    return value;
  });
  if (!URL.canParse(filled, documentUrl)) {
    throw missing("The document does not name the address of a server.");
  }
  const url = new URL(filled, documentUrl);
  if (!/^https?:$/.test(url.protocol)) throw missing("The server's address is not HTTP.");
  if (url.username !== "" || url.password !== "") {
    throw missing("The server's address contains a user name or a password.");
  }
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  return { base, host: url.protocol === "http:" ? url.origin : url.host, notes };
}

function missing(what: string): OpenApiError {
  return new OpenApiError("server_missing", `${what} Enter the server's URL.`);
}
