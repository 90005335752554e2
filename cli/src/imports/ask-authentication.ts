import process from "node:process";
import type { ImportItem, ImportResource } from "@toolhost/contract";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { toLine, toTerminalText } from "../terminal/text.ts";
import { parseSignIn } from "./parse-authentication.ts";
import type { SignIn } from "./parse-authentication.ts";

type Choice = { label: string; ask: () => Promise<SignIn> };

const maxLabel = 80;

/**
 * Asks how the tools authenticate, where the document leaves that open: it declares nothing, or several alternatives. Undefined
 * if there is nothing to ask.
 */
export async function askSignIn(
  found: ImportResource,
  items: readonly ImportItem[],
): Promise<SignIn | undefined> {
  if (found.kind === "mcp" || items.length === 0) return undefined;
  const declared = new Map(
    items.flatMap(({ security }) => security.map((names) => [JSON.stringify(names), names])),
  );
  if (found.securitySchemes.length > 0 && declared.size < 2) return undefined;
  const alternatives = [...declared.values()].filter((names) => names.length > 0);
  const choices = [
    ...alternatives.map((names) => alternative(found, names)),
    ...otherWays.map(({ label, auth, names }) => ({
      label,
      ask: async () => {
        const form = auth.endsWith(":") ? auth + (await askText("Name", "X-API-Key")) : auth;
        return parseSignIn(found, { auth: form, credential: await askNames(names) });
      },
    })),
  ];
  const { isCancel, select } = await import("@clack/prompts");
  const options = choices.map((value) => ({ value, label: clean(value.label) }));
  const message = "How does the API authenticate?";
  const chosen = await select({ message, options, output: process.stderr });
  if (isCancel(chosen)) throw cancelled();
  return chosen.ask();
}

const otherWays = [
  { label: "No credentials", auth: "none", names: [] },
  { label: "Bearer token", auth: "bearer", names: ["API_TOKEN"] },
  { label: "API key in a header", auth: "header:", names: ["API_KEY"] },
  { label: "API key in the query", auth: "query:", names: ["API_KEY"] },
  { label: "User name and password", auth: "basic", names: ["API_USER", "API_PASSWORD"] },
];

function alternative({ securitySchemes }: ImportResource, schemeNames: readonly string[]): Choice {
  return {
    label: schemeNames.join(" and "),
    ask: async () => {
      const credentials: SignIn["credentials"] = {};
      for (const { name, credentialNames } of securitySchemes) {
        if (!schemeNames.includes(name) || credentialNames.length === 0) continue;
        credentials[name] = await askNames(credentialNames);
      }
      return { credentials };
    },
  };
}

async function askNames(suggested: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for (const name of suggested) names.push(await askText("Name of the credential", name));
  return names;
}

async function askText(message: string, initialValue: string): Promise<string> {
  const { isCancel, text } = await import("@clack/prompts");
  const given = await text({ message, initialValue, output: process.stderr });
  if (isCancel(given)) throw cancelled();
  return given;
}

function cancelled(): CliError {
  return new CliError("Cancelled.", { code: "interrupted", exitCode: exitCodes.interrupted });
}

/** Names of schemes are of the document: they must not control the terminal. */
function clean(text: string): string {
  return toTerminalText(toLine(text, maxLabel), false);
}
