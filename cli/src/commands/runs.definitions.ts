import { defineCommand } from "../define-command.ts";
import type { NoFlags } from "../define-command.ts";
import type { RunFlags } from "../runs/run.ts";
import type { FileFlags } from "../runs/save-file.ts";
import type { RunsFlags } from "../runs/list-runs.ts";

const runId = { brief: "ID of the run", parse: String, placeholder: "run" } as const;

export const run = defineCommand<RunFlags, string[]>({
  brief: "Run a tool",
  description: [
    "Runs a tool and prints its output. The tool is a folder of the project, or the name of a tool.",
    "",
    "Values: city=Oslo (converted to the type in the input schema), count:=3 (JSON), photo=@a.jpg (a file),",
    "and --input FILE for the whole input as JSON, with - for stdin.",
    "",
    "A running tool can ask a question. On a terminal, the command asks you. Elsewhere, it prints the question and",
    "the URL where you can answer it to stderr, and exits with 1 while the run continues.",
  ].join("\n"),
  parameters: {
    positional: {
      kind: "array",
      minimum: 1,
      parameter: { brief: "Tool, then its input", parse: String, placeholder: "tool name=value" },
    },
    flags: {
      input: {
        kind: "parsed",
        parse: String,
        brief: "File with the input as JSON (- for stdin)",
        optional: true,
        placeholder: "file",
      },
      wait: { kind: "boolean", brief: "Wait for the end of the run", default: true },
      follow: {
        kind: "boolean",
        brief: "Print the log to stderr while the tool runs",
        optional: true,
        withNegated: false,
      },
    },
    aliases: { i: "input", f: "follow" },
  },
  load: async () => (await import("../runs/run.ts")).run,
});

export const logs = defineCommand<{ follow?: boolean }, [string]>({
  brief: "Print the log of a run",
  description: "With --follow and --json, prints one JSON document per line.",
  parameters: {
    positional: { kind: "tuple", parameters: [runId] },
    flags: {
      follow: {
        kind: "boolean",
        brief: "Print new lines until the run ends",
        optional: true,
        withNegated: false,
      },
    },
    aliases: { f: "follow" },
  },
  load: async () => (await import("../runs/logs.ts")).logs,
});

export const cancel = defineCommand<NoFlags, [string]>({
  brief: "Cancel a run",
  parameters: { positional: { kind: "tuple", parameters: [runId] } },
  load: async () => (await import("../runs/cancel.ts")).cancel,
});

export const file = defineCommand<FileFlags, [string]>({
  brief: "Download a file that a run saved",
  description: "The ID of the file is in the output of the run.",
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "ID of the file", parse: String, placeholder: "file" }],
    },
    flags: {
      output: {
        kind: "parsed",
        parse: String,
        brief: "File to write (- for stdout)",
        placeholder: "path",
      },
    },
    aliases: { o: "output" },
  },
  load: async () => (await import("../runs/save-file.ts")).saveFile,
});

export const runs = defineCommand<RunsFlags, []>({
  brief: "List runs, newest first",
  parameters: {
    flags: {
      failed: {
        kind: "boolean",
        brief: "Only failed runs",
        optional: true,
        withNegated: false,
      },
      status: {
        kind: "enum",
        values: ["running", "completed", "failed", "cancelled"],
        brief: "Only runs with this status",
        optional: true,
      },
      since: {
        kind: "parsed",
        parse: String,
        brief: "Only runs since: 30m, 1h, 7d, or a time in RFC 3339",
        optional: true,
        placeholder: "time",
      },
      tool: {
        kind: "parsed",
        parse: String,
        brief: "Only runs of this tool",
        optional: true,
        placeholder: "tool",
      },
      limit: {
        kind: "parsed",
        parse: String,
        brief: "Most runs to list",
        default: "20",
        placeholder: "n",
      },
    },
  },
  load: async () => (await import("../runs/list-runs.ts")).listRuns,
});
