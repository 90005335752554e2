import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { createOpenApiReader } from "../../src/core/imports/openapi/index.ts";
import type { GeneratedTool } from "../../src/core/imports/openapi/index.ts";
import { startTestService } from "../service.ts";
import { mockOf, startPrism } from "./prism.ts";
import { inputFor } from "./sample-input.ts";

const usage = `Usage: npm run eval:openapi:runs -- --prism PATH [--sample N] FILE...

Makes tools of OpenAPI documents, saves them in a real service, and runs each against Prism, which validates the requests by
the same document. PATH is the command of @stoplight/prism-cli. Without --sample, the operations of a fixed list.
`;

/** Operations of all kinds: parameters, bodies, forms, files, lists, text and several authentications. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  slack: ["chat_postMessage", "conversations_list", "users_info", "reminders_add"],
  github: [
    "issues/list-for-repo",
    "issues/create",
    "repos/get-content",
    "gists/create",
    "search/repos",
    "issues/add-labels",
    "markdown/render-raw",
  ],
  discord: ["create_message", "list_guild_members", "update_guild_role", "get_gateway"],
  twilio: ["CreateMessage", "ListCall"],
  figma: ["getFile", "postComment", "getImages"],
  plaid: ["accountsGet", "linkTokenCreate"],
  kubernetes: [
    "listCoreV1NamespacedPod",
    "createCoreV1NamespacedConfigMap",
    "patchCoreV1NamespacedConfigMap",
  ],
  openai: ["createChatCompletion", "createFile", "listModels", "createEmbedding"],
};

const { values, positionals } = parseArgs({
  options: { prism: { type: "string" }, sample: { type: "string" } },
  allowPositionals: true,
});
if (values.prism === undefined || positionals.length === 0) {
  process.stderr.write(usage);
  process.exit(2);
}
const prism = values.prism;
const sampleSize = Number(values.sample ?? 0);
const folder = await mkdtemp(join(tmpdir(), "run-openapi-"));
const firstPort = randomInt(20_000, 50_000);
const ports = positionals.map((_, index) => firstPort + index);
const service = await startTestService({
  EGRESS_PRIVATE_HOSTS: ports.map((port) => `127.0.0.1:${port}`).join(","),
  RUN_WAIT_MS: "55000",
});
const reader = createOpenApiReader({
  checkDefinition: (...definition) =>
    service.service.context.validation.checkDefinition(...definition),
  cpuMsPerMinute: 0,
});

type Outcome = { key: string; isCompleted: boolean; problem: string };

async function runDocument(file: string, port: number): Promise<Outcome[]> {
  const name = /([^/.]+)[^/]*$/.exec(file)?.[1] ?? "";
  const mock = mockOf(file);
  const { operations } = await reader.readDocument("evaluation", mock.text);
  const step = Math.max(1, Math.floor(operations.length / Math.max(1, sampleSize)));
  const keys = operations
    .filter(({ operationId = "" }, index) =>
      sampleSize === 0 ? (chosen[name] ?? []).includes(operationId) : index % step === 0,
    )
    .map(({ key }) => key);
  const serverUrl = `http://127.0.0.1:${port}`;
  const prismProcess = await startPrism({
    prism,
    folder,
    port,
    document: mock.find(keys, serverUrl),
  });
  try {
    const { tools, skipped } = await reader.generateTools(
      "evaluation",
      mock.find(keys, serverUrl),
      {
        keys,
      },
    );
    const outcomes = skipped.map(({ key, reason }) => ({
      key,
      isCompleted: false,
      problem: reason,
    }));
    for (const tool of tools) outcomes.push(await runTool(tool));
    return outcomes;
  } finally {
    prismProcess.stop();
  }
}

async function runTool({ key, definition }: GeneratedTool): Promise<Outcome> {
  for (const { name, hosts } of definition.credentials) {
    await service.call("POST", "/credentials", {
      name,
      value: `secret-${name.toLowerCase()}`,
      hosts,
      owner: "user",
    });
  }
  const saved = await service.call("POST", "/tools", definition);
  if (saved.status !== 201) return { key, isCompleted: false, problem: saved.text.slice(0, 500) };
  const upload = await service.callAsOwner("POST", "/upload", {
    fileName: "lines.jsonl",
    mimeType: "application/jsonl",
    contentBase64: Buffer.from('{"a":1}\n').toString("base64"),
  });
  const input = inputFor(definition, String(upload.body.fileId));
  const run = await service.call("POST", `/run/${saved.body.name}`, input);
  const isCompleted = run.body?.status === "completed";
  const reason = run.body?.error?.message ?? run.text;
  return {
    key,
    isCompleted,
    problem: isCompleted
      ? ""
      : `${String(reason).slice(0, 600)} — ${JSON.stringify(input).slice(0, 300)}`,
  };
}

const outcomes: Outcome[] = [];
for (const [index, file] of positionals.entries()) {
  for (const outcome of await runDocument(file, ports[index] ?? 0)) {
    outcomes.push(outcome);
    process.stdout.write(
      `${outcome.isCompleted ? "ok  " : "FAIL"} ${outcome.key} ${outcome.problem}\n`,
    );
  }
}
reader.stop();
await service.stop();
await rm(folder, { recursive: true, force: true });
const completed = outcomes.filter(({ isCompleted }) => isCompleted).length;
process.stdout.write(`${completed} of ${outcomes.length} tools run\n`);
process.exit(0);
