import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text_en } from "@stricli/core";
import type { Command, RouteMap } from "@stricli/core";
import { rootCommands } from "./src/commands/index.ts";
import type { CliContext } from "./src/define-command.ts";
import { exitCodes } from "./src/terminal/exit-codes.ts";

export const referencePath: string = join(import.meta.dirname, "../docs/reference/command-line.md");

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "Success",
  failed: "A run or a test failed, or an error that no other code names",
  usage: "Unknown command, option or argument, or a file of the project that cannot be read",
  notAllowed: "Not signed in, or without the permission",
  notFound: "The tool, run or folder does not exist",
  conflict: "The server has changes that would be lost, or it is in another state",
  unavailable: "The service cannot be reached, is overloaded, or limits requests",
  needsApproval: "A credential or an approval is missing; the error has the link",
  interrupted: "Interrupted with Ctrl-C",
};

/** The reference of all commands, from their declarations. */
export function describeCommands(): string {
  const codes = Object.entries(exitCodes).map(
    ([name, code]) => `- \`${code}\`: ${meanings[name as keyof typeof exitCodes]}`,
  );
  return `<!-- Generated from the commands by \`npm run generate:docs\`. Do not edit. -->

# Command line reference

[Use the command line](../connect/command-line.md) is the guide.

## Exit codes

${codes.join("\n")}

## Environment

- \`TOOLHOST_URL\`: the address of the service
- \`TOOLHOST_API_KEY\`: an API key, instead of signing in
- \`NO_COLOR\`, \`CI\`: no colors, spinners and questions
- \`XDG_CONFIG_HOME\`: where the sign-in is stored (default: \`~/.config\`)
- \`TOOLHOST_DEBUG=1\`: show the stack of unexpected errors

## Commands

${describeRoutes(rootCommands, ["toolhost"]).join("\n\n")}
`;
}

function describeRoutes(map: RouteMap<CliContext>, prefix: readonly string[]): string[] {
  return map.getAllEntries().flatMap(({ name, target }) => {
    const path = [...prefix, name["convert-camel-to-kebab"]];
    return "getAllEntries" in target ? describeRoutes(target, path) : describe(target, path);
  });
}

function describe(command: Command<CliContext>, prefix: readonly string[]): string[] {
  const help = command.formatHelp({
    prefix,
    ansiColor: false,
    text: text_en,
    additionalFlags: [],
    includeArgumentEscapeSequenceFlag: false,
    includeHidden: false,
    config: {
      caseStyle: "convert-camel-to-kebab",
      useAliasInUsageLine: false,
      onlyRequiredInUsageLine: false,
    },
  });
  const text = help.replaceAll(/[ \t]+$/gm, "").trim();
  return [`### ${prefix.join(" ")}`, `\`\`\`text\n${text}\n\`\`\``];
}

if (import.meta.main) writeFileSync(referencePath, describeCommands());
