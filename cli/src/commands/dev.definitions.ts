import { defineCommand } from "../define-command.ts";
import type { DevFlags } from "../dev/dev.ts";
import type { TestFlags } from "../dev/test.ts";

const flag = (brief: string) =>
  ({ kind: "boolean", brief, optional: true, withNegated: false }) as const;

export const dev = defineCommand<DevFlags, string[]>({
  brief: "Run a tool in the sandbox after each change",
  description: [
    "Watches the folder, stores its content as a draft, runs it with an example, and shows the log. Types for the editor are written beside the code. Nothing is published.",
    "",
    "Values replace those of the example, as for run: city=Oslo, count:=3, photo=@a.jpg.",
  ].join("\n"),
  parameters: {
    positional: {
      kind: "array",
      minimum: 1,
      parameter: {
        brief: "Folder of the tool, then its input",
        parse: String,
        placeholder: "tool name=value",
      },
    },
    flags: {
      input: {
        kind: "parsed",
        parse: String,
        brief: "File with the input as JSON",
        optional: true,
        placeholder: "file",
      },
      example: {
        kind: "parsed",
        parse: String,
        brief: "Number of the example to run",
        default: "1",
        placeholder: "n",
      },
      once: flag("Run once, without watching"),
    },
    aliases: { i: "input" },
  },
  load: async () => (await import("../dev/dev.ts")).dev,
});

export const test = defineCommand<TestFlags, string[]>({
  brief: "Run the examples of tools in the sandbox",
  description: [
    "An example passes if its run ends as the example expects. Without an expectation, the run must complete, and its output must have everything that the example's output has. Leave out what differs in each run, such as a time. IDs and addresses of files are not compared.",
    "",
    "Nothing is published. Exits with 1 if a test failed.",
  ].join("\n"),
  parameters: {
    positional: {
      kind: "array",
      parameter: { brief: "Folders of tools (default: all)", parse: String, placeholder: "tool" },
    },
    flags: {
      junit: {
        kind: "parsed",
        parse: String,
        brief: "Also write the results as JUnit XML",
        optional: true,
        placeholder: "file",
      },
      past: {
        kind: "parsed",
        parse: String,
        brief: "Also run the inputs of this many past runs",
        optional: true,
        placeholder: "n",
      },
      sameOutput: flag("Require the output of the past run"),
      yes: flag("Run past inputs of tools with effects"),
    },
  },
  load: async () => (await import("../dev/test.ts")).test,
});
