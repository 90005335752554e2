import { randomUUID } from "node:crypto";
import process from "node:process";
import createClient from "openapi-fetch";
import type { paths } from "./dist-generated/openapi-typescript/schema.d.ts";

const { baseUrl, apiKey } = JSON.parse(process.env["TARGET"] ?? "") as {
  baseUrl: string;
  apiKey: string;
};
const client = createClient<paths>({
  baseUrl: `${baseUrl}/api/v1`,
  headers: { authorization: `Bearer ${apiKey}` },
});
const write = () => ({ "Idempotency-Key": randomUUID() });

/** The data of a successful response. */
function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const tool = dataOf(
  await client.POST("/tools", {
    params: { header: write() },
    body: {
      title: "Shout",
      description: "Makes the text of a file loud.",
      inputSchema: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
      fileFields: ["file"],
      source: {
        language: "typescript",
        code: `export default async ({ file }, ctx) => {
          console.log("started");
          return { text: (await (await ctx.files.open(file)).text()).toUpperCase() };
        }`,
      },
    },
  }),
);
const file = dataOf(
  await client.POST("/upload", {
    params: { header: write() },
    body: { fileName: "a.txt", mimeType: "text/plain", contentBase64: btoa("quiet") },
  }),
);
const { runId } = dataOf(
  await client.POST("/run/{toolName}", {
    params: { path: { toolName: tool.name }, header: { ...write(), Prefer: "respond-async" } },
    body: { file: file.fileId },
  }),
);
const path = { runId };
let run = dataOf(await client.GET("/runs/{runId}", { params: { path } }));
while (run.status === "running") {
  run = dataOf(
    await client.GET("/runs/{runId}", { params: { path, header: { Prefer: "wait=10" } } }),
  );
}
// The types cover all media types of the log.
const log = dataOf(await client.GET("/runs/{runId}/logs", { params: { path } }));
const logs = typeof log === "string" ? log : log.map(({ message }) => message);
const download = dataOf(
  await client.GET("/files/{fileId}", {
    params: { path: { fileId: file.fileId } },
    parseAs: "text",
  }),
);
process.stdout.write(JSON.stringify({ output: run.output, logs, download }));
