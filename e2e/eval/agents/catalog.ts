import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const questions = join(import.meta.dirname, "../../../server/testing/search/questions");

/** What a tool returns besides its answer: nothing, more rows than fit into a response, or a file. */
type OutputKind = "short" | "long" | "file";

/** A tool of the evaluation. Only a run of it reveals its answer. */
export type EvalTool = {
  key: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  kind: OutputKind;
  answer: string;
};

/** A task in a user's words, and the tools that fit it. */
export type EvalTask = { words: string; fitting: readonly string[]; group: string };

type Listed = Pick<EvalTool, "title" | "description" | "inputSchema"> & { name: string };
type Question = { query: string; relevant: string[]; group: string };

/** The 120 tools: those of the search questions, and others. */
export function readTools(): EvalTool[] {
  const listed = [
    ...readLines<Listed>(join(questions, "catalog.jsonl")),
    ...readLines<Listed>(join(import.meta.dirname, "more-tools.jsonl")),
  ];
  return listed.map(({ name, ...tool }, index) => ({
    ...tool,
    key: name,
    kind: index % 6 === 0 ? "long" : index % 6 === 1 ? "file" : "short",
    answer: `${name}-${createHash("sha256").update(name).digest("hex").slice(0, 8)}`,
  }));
}

/** Tasks of all groups of questions. */
export function readTasks(count: number): EvalTask[] {
  const all = readLines<Question>(join(questions, "queries.jsonl"));
  return Array.from({ length: count }, (_, index) => {
    const question = all[Math.floor((index * all.length) / count)];
    if (question === undefined) throw new Error(`There are only ${all.length} questions`);
    return { words: question.query, fitting: question.relevant, group: question.group };
  });
}

const rows = 600;

/** The code of a tool, for the sandbox. */
export function codeOf({ kind, answer }: EvalTool): string {
  const value = JSON.stringify(answer);
  if (kind === "short") return `export default (input) => ({ answer: ${value}, received: input })`;
  if (kind === "file") {
    return `export default async (input, ctx) => ({
      file: await ctx.files.save({ name: "answer.txt", mimeType: "text/plain", body: ${value} }),
    })`;
  }
  return `export default () => ({
    rows: Array.from({ length: ${rows} }, (_, id) => ({
      id, text: id === ${rows - 1} ? ${value} : "Entry number " + id + " of the list, not the last one.",
    })),
  })`;
}

function readLines<T>(file: string): T[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}
