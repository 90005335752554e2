import { enter } from "../src/sign-in.ts";
import type { Seeder } from "./sign-in.ts";

const password = "a long pass phrase";

/** Members, and a user whose invitation is pending. */
const people = [
  { name: "Grace Lopes", role: "builder", isMember: true },
  { name: "Alan Costa", role: "viewer", isMember: true },
  { name: "Edith Ramos", role: "admin", isMember: false },
] as const;

/** Invites people who are not members yet. The members accept. Returns one line for each new one. */
export async function invitePeople({ api, baseUrl, workspaceId: id }: Seeder): Promise<string[]> {
  const members = await api("GET /workspaces/{id}/members", { params: { id } });
  const invitations = await api("GET /workspaces/{id}/invitations", { params: { id } });
  const known = new Set([...members, ...invitations].map(({ email }) => email));
  const added: string[] = [];
  for (const { name, role, isMember } of people) {
    const email = `${name.toLowerCase().replace(" ", ".")}@example.com`;
    if (known.has(email)) continue;
    const body = { email, role };
    const { url } = await api("POST /workspaces/{id}/invitations", { params: { id }, body });
    // With an SMTP server, only the email contains the link.
    const invitation = url?.split("/").at(-1);
    if (!isMember || invitation === undefined) {
      added.push(`invited ${email}`);
      continue;
    }
    await enter(baseUrl, "sign-up", { email, password, name, invitation });
    added.push(`added ${email}, password "${password}"`);
  }
  return added;
}
