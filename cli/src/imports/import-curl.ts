import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import {
  CurlError,
  findFields,
  findSecrets,
  readCurl,
  titleOf,
  toRequest,
} from "@toolhost/tool-schema/curl";
import type { Session } from "../session.ts";
import { usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { command } from "../terminal/shell-command.ts";
import { toLine } from "../terminal/text.ts";
import { describeValues, valuesIn } from "./describe-values.ts";

/** Creates a draft of a curl command, which is read here, so that the values of its secrets are not sent. */
export async function importCurl(session: Session, source: string): Promise<number> {
  const { terminal } = session;
  const request = read(source === "-" ? await readAll(process.stdin) : source);
  const secrets = findSecrets(request);
  const found = findFields(request, secrets);
  const title = titleOf(request, found);
  const body = toRequest(request, secrets, found, { title });
  const { client, address } = await session.connect();
  const draft = await client.request("POST /drafts/from-request", { body });
  const pageUrl = new URL(`drafts/${draft.id}`, `${address.replace(/\/$/, "")}/`).href;
  const host = hostOf(request.url);
  const credentials = secrets.map(({ credential }) => credential);
  const notes = [...request.notes, ...draft.notes];
  const result = { draftId: draft.id, title, credentials, values: valuesIn(body), notes, pageUrl };
  terminal.result(result, () => [`Created a draft: ${toLine(title, 80)}`, pageUrl]);
  terminal.note(describeValues(body).join("\n"));
  for (const note of notes) terminal.note(note);
  for (const name of credentials) {
    terminal.note(`Save the secret: ${command`toolhost secret set ${name} --hosts ${host}`}`);
  }
  return exitCodes.ok;
}

/** A host as credentials state it: HTTPS is the default. */
function hostOf(url: string): string {
  const { protocol, host } = new URL(url);
  return protocol === "http:" ? `http://${host}` : host;
}

function read(text: string) {
  try {
    return readCurl(text);
  } catch (error) {
    if (error instanceof CurlError) throw usageError(error.message);
    throw error;
  }
}
