import { randomUUID } from "node:crypto";
import type { CreateToolInput } from "@toolhost/contract";
import { transform } from "esbuild";
import { generateTools } from "../../src/core/imports/openapi/generate-tools.ts";
import type { GeneratedTool, GenerateOptions } from "../../src/core/imports/openapi/index.ts";

const sandboxed = new URL("../../../sandbox/src/worker/authorization.js", import.meta.url).href;
const { authorization } = (await import(sandboxed)) as { authorization: object };

/** A document of OpenAPI 3.1 with a server and these paths, as JSON. `rest` replaces other members. */
export function documentOf(paths: object, rest: object = {}): Buffer {
  return toBytes({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1.0" },
    servers: [{ url: "https://api.example.com/v1" }],
    paths,
    ...rest,
  });
}

export function toBytes(document: unknown): Buffer {
  return Buffer.from(JSON.stringify(document));
}

/** The tool of an operation. Throws if the operation is skipped. */
export function toolOf(
  document: Uint8Array,
  key: string,
  options: Omit<GenerateOptions, "keys"> = {},
): GeneratedTool {
  const { tools, skipped } = generateTools(document, { keys: [key], ...options });
  const [tool] = tools;
  if (tool === undefined) throw new Error(skipped[0]?.reason ?? "No tool");
  return tool;
}

type TestFile = { fileName: string; mimeType: string; body: string };

export type Outside = {
  /** The response of the API. Its default is an empty object. */
  respond?: ((request: Request) => Response) | undefined;
  files?: Readonly<Record<string, TestFile>>;
};

export type Ran = { request: Request; body: string; output: unknown; saved: unknown[] };

/** Runs a tool in this process. Only the network and the files are replaced. */
export async function runTool(
  { source, credentials }: CreateToolInput,
  input: object,
  { respond = () => Response.json({}), files = {} }: Outside = {},
): Promise<Ran> {
  const requests: Request[] = [];
  const bodies: string[] = [];
  const saved: unknown[] = [];
  const fetchId = `fetch-${randomUUID()}`;
  const fetch = async (url: URL, init: RequestInit) => {
    const request = new Request(url, init);
    requests.push(request);
    bodies.push(await request.clone().text());
    return respond(request);
  };
  Object.assign(globalThis, { [fetchId]: fetch });
  const { code } = await transform(source.code, { loader: "ts" });
  const module = `const fetch = globalThis[${JSON.stringify(fetchId)}];\n${code}`;
  const address = `data:text/javascript;base64,${Buffer.from(module).toString("base64")}`;
  const { default: run } = (await import(address)) as {
    default: (input: object, ctx: object) => Promise<unknown>;
  };
  const ctx = {
    signal: new AbortController().signal,
    credentials: Object.fromEntries(credentials.map(({ name }) => [name, `value of ${name}`])),
    authorization,
    files: {
      open: async (id: string) => openFile(files[id]),
      save: async ({ body, ...file }: { body: Response | string }) => {
        saved.push({ ...file, text: await new Response(streamOf(body)).text() });
        return { fileId: "saved", ...file };
      },
    },
  };
  try {
    const output = await run(input, ctx);
    const [request = new Request("https://none.invalid")] = requests;
    return { request, body: bodies[0] ?? "", output, saved };
  } finally {
    Reflect.deleteProperty(globalThis, fetchId);
  }
}

function streamOf(body: Response | string) {
  return typeof body === "string" ? body : body.body;
}

function openFile(file: TestFile | undefined) {
  if (file === undefined) throw new Error("file_not_found");
  return { ...file, arrayBuffer: async () => new TextEncoder().encode(file.body).buffer };
}
