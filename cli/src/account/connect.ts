import { createClient } from "@toolhost/client";
import type { ApiKeySource, Client } from "@toolhost/client";
import { nodeFetch } from "../node-fetch.ts";
import type { Connection, Session } from "../session.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { command } from "../terminal/shell-command.ts";
import { findAccount, readAccounts } from "./accounts.ts";
import type { Accounts } from "./accounts.ts";
import { chooseAddress, isLoopback } from "./address.ts";
import type { Address } from "./address.ts";

/** Finds the service and the user's key for it. Throws if there is none for exactly this address. */
export async function connect(session: Session): Promise<Connection> {
  const { env } = session;
  const address = await findAddress(session);
  const apiKey = env["TOOLHOST_API_KEY"];
  if (apiKey !== undefined && apiKey !== "") {
    checkTarget(address);
    return { address: address.url, client: clientOf(address.url, apiKey) };
  }
  const stored = await readAccounts(env);
  if (findAccount(stored, address.url) === undefined) throw notSignedIn(stored, address.url);
  const { createTokenSource } = await import("./tokens.ts");
  const source = createTokenSource(env, address.url);
  return { address: address.url, client: clientOf(address.url, source) };
}

/** The error if there is no sign-in at an address. */
export function notSignedIn({ damagedFile }: Accounts, address: string): CliError {
  const reason = damagedFile === undefined ? "" : ` ${damagedFile} is damaged.`;
  return new CliError(`You are not signed in to ${address}.${reason}`, {
    code: "unauthenticated",
    exitCode: exitCodes.notAllowed,
    next: [command`toolhost login --url ${address}`, "or set TOOLHOST_API_KEY and TOOLHOST_URL"],
  });
}

/** A client of the service at an address. */
export function clientOf(baseUrl: string, apiKey: string | ApiKeySource): Client {
  return createClient({ baseUrl, apiKey, fetch: nodeFetch });
}

/** The address of the service that this command is about. */
export async function findAddress({ env, flags, project }: Session): Promise<Address> {
  const isExplicit = Boolean(flags.url) || Boolean(env["TOOLHOST_URL"]);
  const [found, { latest }] = isExplicit
    ? [undefined, { latest: undefined }]
    : await Promise.all([project(), readAccounts(env)]);
  return chooseAddress(
    {
      flag: flags.url,
      environment: env["TOOLHOST_URL"],
      project: found?.settings.url,
      login: latest,
    },
    flags.insecure === true,
  );
}

/** `toolhost.json` can come from someone else, for example in a pull request, so it does not decide who gets a key. */
function checkTarget({ url, source }: Address): void {
  if (source === "--url" || source === "TOOLHOST_URL") return;
  if (source !== "toolhost.json" && isLoopback(new URL(url))) return;
  throw new CliError(
    `The address ${url} comes from ${source === "login" ? "your last sign-in" : source}, so TOOLHOST_API_KEY is not sent to it.`,
    {
      code: "address_not_named",
      exitCode: exitCodes.usage,
      next: [command`set TOOLHOST_URL=${url} or add --url ${url}, if the key is for this address`],
    },
  );
}
