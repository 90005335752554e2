import process from "node:process";
import { buildCommand } from "@stricli/core";
import type { Application } from "@stricli/core";
import type { CliContext, NoFlags } from "../define-command.ts";
import { isFolderName } from "../project/folder-name.ts";
import { usageError } from "../terminal/cli-error.ts";
import { clientNames, templateNames } from "./value-names.ts";

/** The command that the scripts call for each completion. */
export const completeCommand = "__complete";

const scripts = {
  bash: `_toolhost() {
  local IFS=$'\\n'
  COMPREPLY=($(toolhost ${completeCommand} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _toolhost toolhost
`,
  zsh: `_toolhost() {
  local -a found
  found=(\${(f)"$(toolhost ${completeCommand} "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _toolhost toolhost
`,
  fish: `complete -c toolhost -a '(toolhost ${completeCommand} (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
} as const;

/** Prints a script for a shell: `source <(toolhost completion bash)`. */
export const completion = buildCommand<NoFlags, [string], CliContext>({
  docs: {
    brief: "Print the completion script of a shell",
    fullDescription:
      "bash: source <(toolhost completion bash)\nfish: toolhost completion fish | source",
  },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [{ brief: "bash, zsh or fish", parse: String, placeholder: "shell" }],
    },
  },
  func: (_flags, shell) => {
    if (shell !== "bash" && shell !== "zsh" && shell !== "fish") {
      throw usageError(`There is no completion for "${shell}". Use bash, zsh or fish.`);
    }
    process.stdout.write(scripts[shell]);
  },
});

/** Prints what can follow: commands, options and folders of tools. Never fails, since it runs while a user types. */
export async function printCompletions(
  application: Application<CliContext>,
  words: readonly string[],
): Promise<void> {
  const { proposeCompletions } = await import("@stricli/core");
  const outcome = { exitCode: 0 };
  const streams = { stdout: process.stdout, stderr: process.stderr, env: process.env };
  const context = { process: streams, outcome };
  const proposed = await proposeCompletions(application, words, context).catch(() => []);
  const names = proposed.map(({ completion: text }) => text);
  const last = words.at(-1) ?? "";
  const values = (await listValues(words)).filter((value) => value.startsWith(last));
  // What a command is about is wanted more often than its options.
  process.stdout.write([...values, ...names].map((name) => `${name}\n`).join(""));
}

/** The values that the last word can have, besides what the library proposes. */
async function listValues(words: readonly string[]): Promise<readonly string[]> {
  const [first = "", second] = words;
  if (words.at(-2) === "--template") return templateNames;
  if (first === "completion") return words.length === 2 ? Object.keys(scripts) : [];
  if (first === "mcp") return second === "install" && words.length === 3 ? clientNames : [];
  return takesTool.has(first) ? listToolFolders() : [];
}

const takesTool = new Set(["dev", "diff", "link", "pull", "push", "rename", "run", "test"]);

async function listToolFolders(): Promise<string[]> {
  try {
    const { findProject } = await import("../project/project.ts");
    const { readdir } = await import("node:fs/promises");
    const project = await findProject(process.cwd());
    if (project === undefined) return [];
    const names = await readdir(project.toolsDir);
    return names.filter((name) => isFolderName(name) && name !== "node_modules");
  } catch {
    return [];
  }
}
