import { existsSync } from "node:fs";
import process from "node:process";
import type { ApiCall } from "../../server/testing/api-call.ts";
import { invitePeople } from "./people.ts";
import { signIn } from "./sign-in.ts";
import type { Seeder } from "./sign-in.ts";
import { publicTools, sampleCredential, sampleDrafts, sampleTools } from "./tools.ts";
import type { SampleTool } from "./tools.ts";

// Fills a running service with sample data over REST: `npm run seed [-- RUNS]`. Tools, drafts, people and the credential are
// created once, by name. Runs and a file are added each time.

const secondWorkspace = "Research";
const csv = "name,city\nAna,Porto\nRui,Faro\n";

const say = (line: string) => process.stdout.write(`${line}\n`);

type Runnable = { name: string; inputs: readonly object[] };

/** Creates the tools whose title the user has not used yet. */
async function createTools(api: ApiCall, tools: readonly SampleTool[]): Promise<Runnable[]> {
  const made: Runnable[] = [];
  for (const { definition, inputs } of tools) {
    const { title } = definition;
    const known = await api("GET /tools", { query: { q: title, origin: "mine" } });
    const found = known.find((tool) => tool.title === title);
    const { name } = found ?? (await api("POST /tools", { body: definition }));
    if (found === undefined) say(`  created ${title}`);
    made.push({ name, inputs });
  }
  return made;
}

/** Creates public tools in a second workspace and installs them in the first one. */
async function installTools({ api, apiIn }: Seeder): Promise<Runnable[]> {
  const workspaces = await api("GET /workspaces");
  const { id } =
    workspaces.find(({ name }) => name === secondWorkspace) ??
    (await api("POST /workspaces", { body: { name: secondWorkspace } }));
  const tools = await createTools(apiIn(id), publicTools);
  for (const { name } of tools) await api("POST /tools/{name}/install", { params: { name } });
  return tools;
}

async function createDrafts(api: ApiCall): Promise<void> {
  const titles = new Set((await api("GET /drafts")).map(({ title }) => title));
  for (const definition of sampleDrafts) {
    if (!titles.has(definition.title)) await api("POST /drafts", { body: { definition } });
  }
}

async function createCredential(api: ApiCall): Promise<void> {
  const credentials = await api("GET /credentials");
  if (credentials.some(({ name }) => name === sampleCredential.name)) return;
  await api("POST /credentials", { body: sampleCredential });
}

async function uploadFile(api: ApiCall): Promise<void> {
  const contentBase64 = Buffer.from(csv).toString("base64");
  const body = { fileName: "customers.csv", mimeType: "text/csv", contentBase64 };
  await api("POST /upload", { body });
}

/** Runs the tools in turn with each of their inputs. Returns how many runs have each status. */
async function addRuns(api: ApiCall, tools: readonly Runnable[], count: number) {
  const pairs = tools.flatMap(({ name, inputs }) => inputs.map((input) => ({ name, input })));
  const counts: Record<string, number> = {};
  for (let index = 0; index < count; index += 1) {
    const { name = "", input = {} } = pairs[index % pairs.length] ?? {};
    const { status } = await api("POST /run/{toolName}", {
      params: { toolName: name },
      body: input,
      headers: { prefer: "wait=10" },
    });
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

/** Fills the service. Throws the first error of REST, such as a scope that the API key lacks. */
async function seed(runCount: number): Promise<void> {
  const seeder = await signIn();
  const { api, isSession } = seeder;
  say(`Filling ${seeder.baseUrl} as ${seeder.userName}`);
  const tools = await createTools(api, sampleTools);
  await createDrafts(api);
  await createCredential(api);
  await uploadFile(api);
  if (isSession) {
    tools.push(...(await installTools(seeder)));
    for (const line of await invitePeople(seeder)) say(`  ${line}`);
  } else {
    say("  skipped people and installed tools: they need a session, not an API key");
  }
  say(`Adding ${runCount} runs`);
  say(`Runs by status: ${JSON.stringify(await addRuns(api, tools, runCount))}`);
}

const [count = "200", ...surplus] = process.argv.slice(2);
if (!/^\d+$/.test(count) || surplus.length > 0) {
  process.stderr.write("Usage: npm run seed [-- RUNS]\n");
  process.exit(2);
}

try {
  // As the service reads it.
  if (existsSync(".env")) process.loadEnvFile(".env");
  await seed(Number(count));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
