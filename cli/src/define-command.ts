import process from "node:process";
import { buildCommand } from "@stricli/core";
import type {
  BaseArgs,
  BaseFlags,
  Command,
  CommandContext,
  TypedCommandParameters,
} from "@stricli/core";
import { createSession } from "./session.ts";
import type { CommonFlags, Session } from "./session.ts";
import { createTerminal } from "./terminal/terminal.ts";

/** The options of a command that has none of its own. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- the library counts its keys
export type NoFlags = Record<never, never>;

/** What stricli passes to commands. */
export type CliContext = CommandContext & { readonly outcome: { exitCode: number } };

/** The implementation of a command. It returns an exit code if it did what it was asked to, and the result is not good. */
type CommandBody<Flags, Args extends BaseArgs> = (
  session: Session,
  flags: Flags,
  ...args: Args
) => Promise<number | void>;

type Definition<Flags extends BaseFlags, Args extends BaseArgs> = {
  brief: string;
  description?: string;
  parameters: TypedCommandParameters<Flags, Args, CliContext>;
  /** Imports the implementation, which only the command that runs needs. */
  load: () => Promise<CommandBody<Flags, Args>>;
};

const commonFlags = {
  url: {
    kind: "parsed",
    parse: String,
    brief: "Address of the service (default: TOOLHOST_URL, toolhost.json, the last sign-in)",
    optional: true,
    placeholder: "url",
  },
  json: { kind: "boolean", brief: "Print one JSON document", optional: true, withNegated: false },
  insecure: {
    kind: "boolean",
    brief: "Accept http:// to other machines",
    optional: true,
    withNegated: false,
  },
} as const;

/** Declares a command with the options that all commands take. */
export function defineCommand<Flags extends BaseFlags, Args extends BaseArgs>({
  brief,
  description,
  parameters,
  load,
}: Definition<Flags, Args>): Command<CliContext> {
  const { flags, ...rest } = parameters;
  return buildCommand<BaseFlags, BaseArgs, CliContext>({
    docs: { brief, ...(description === undefined ? {} : { fullDescription: description }) },
    parameters: { ...rest, flags: { ...flags, ...commonFlags } } as never,
    loader: async () => {
      const body = await load();
      return async function runBody(this: CliContext, given: BaseFlags, ...args: BaseArgs) {
        const { url, json, insecure, ...own } = given as BaseFlags & CommonFlags;
        const common = { url, json, insecure };
        const terminal = createTerminal({ isJson: json === true, env: process.env });
        const session = createSession(terminal, common);
        this.outcome.exitCode =
          (await body(session, own as Flags, ...(args as unknown as Args))) ?? 0;
      };
    },
  });
}
