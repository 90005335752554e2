import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Signs a user in or up, and returns the session cookie. */
export async function enter(
  baseUrl: string,
  action: "sign-in" | "sign-up",
  person: { email: string; password: string; name?: string; invitation?: string },
): Promise<string> {
  const { email, password, name, invitation } = person;
  const response = await fetch(`${baseUrl}/api/auth/${action}/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: baseUrl },
    body: JSON.stringify({ email, password, name, invitation }),
  });
  if (!response.ok) throw new Error(`Could not ${action}: ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** Reads the first-run.json of a first start. */
export async function readFirstRun(dataDir: string): Promise<Record<string, string> & SignedUp> {
  return JSON.parse(await readFile(join(dataDir, "first-run.json"), "utf8")) as SignedUp &
    Record<string, string>;
}

type SignedUp = {
  baseUrl: string;
  email: string;
  password: string;
  workspaceId: string;
  apiKey: string;
};
