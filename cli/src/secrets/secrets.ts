import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import type { Session } from "../session.ts";
import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { toTable } from "../terminal/text.ts";

export type SecretFlags = { hosts?: string; workspace?: boolean };
export type DeleteSecretFlags = { workspace?: boolean };

/** Stores a credential, or replaces its value. The value is never an argument, which other users of the machine could read. */
export async function setSecret(session: Session, flags: SecretFlags, name: string): Promise<void> {
  const { terminal } = session;
  const hosts = flags.hosts?.split(",").map((host) => host.trim());
  const owner = flags.workspace === true ? "workspace" : "user";
  if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(name)) {
    throw usageError(`"${name}" is not the name of a credential. Write it like GITHUB_TOKEN.`);
  }
  const { client } = await session.connect();
  const value = await readValue(session, name);
  const existing = await findCredential(client, name, owner);
  if (existing === undefined && hosts === undefined) {
    throw usageError(
      `A new credential needs the hosts that it may be sent to.`,
      `toolhost secret set ${name} --hosts api.example.com`,
    );
  }
  const saved =
    existing === undefined
      ? await client.request("POST /credentials", {
          body: { name, value, owner, hosts: hosts ?? [] },
        })
      : await client.request("PUT /credentials/{name}", {
          params: { name },
          query: { owner },
          body: { value, ...(hosts === undefined ? {} : { hosts }) },
        });
  const result = { name, owner, hosts: saved.hosts, isNew: existing === undefined };
  terminal.result(result, () => [
    `${existing === undefined ? "Stored" : "Replaced"} ${name}, for ${saved.hosts.join(", ")}.`,
  ]);
}

/** Lists the credentials, without values. */
export async function listSecrets({ connect, terminal }: Session): Promise<void> {
  const { client } = await connect();
  const found: { name: string; owner: string; hosts: string[]; status: string }[] = [];
  for await (const { name, owner, hosts, status } of client.list("/credentials")) {
    found.push({ name, owner, hosts, status });
  }
  terminal.result(found, () =>
    found.length === 0
      ? "No credentials."
      : toTable(
          found.map(({ name, owner, hosts, status }) => [name, owner, status, hosts.join(", ")]),
        ),
  );
}

/** Deletes a credential. Tools that request it fail until it exists again. */
export async function deleteSecret(session: Session, flags: DeleteSecretFlags, name: string) {
  const { terminal } = session;
  const owner = flags.workspace === true ? "workspace" : "user";
  const { client } = await session.connect();
  await client.request("DELETE /credentials/{name}", { params: { name }, query: { owner } });
  terminal.result({ name, owner }, () => `Deleted ${name}.`);
}

type Client = Awaited<ReturnType<Session["connect"]>>["client"];

async function findCredential(client: Client, name: string, owner: string) {
  for await (const one of client.list("/credentials")) {
    if (one.name === name && one.owner === owner) return one;
  }
  return undefined;
}

async function readValue({ terminal }: Session, name: string): Promise<string> {
  const value = terminal.isInteractive ? await prompt(name) : await readAll(process.stdin);
  // A shell adds one line end.
  const trimmed = value.replace(/\r?\n$/, "");
  if (trimmed === "") {
    throw usageError("The value is empty.", `printf %s "$VALUE" | toolhost secret set ${name}`);
  }
  return trimmed;
}

async function prompt(name: string): Promise<string> {
  const { password, isCancel } = await import("@clack/prompts");
  const value = await password({ message: `Value of ${name}`, output: process.stderr });
  if (!isCancel(value)) return value;
  throw new CliError("Cancelled.", { code: "interrupted", exitCode: exitCodes.interrupted });
}
