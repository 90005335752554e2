import { generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countInbox } from "#testing/chat";
import { nextId, sign, startFakeTeams } from "#testing/fake-teams";
import type { TeamsFake } from "#testing/fake-teams";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let teams: TeamsFake;

beforeAll(async () => {
  teams = await startFakeTeams();
  test = await startTestService({ ...teams.settings });
  teams.appUrl = test.baseUrl;
});
afterAll(async () => {
  await test.stop();
  await teams.close();
});

const messageWith = (rest: object) => ({
  type: "message",
  id: nextId(),
  channelId: "msteams",
  serviceUrl: `${teams.baseUrl}/teams/`,
  from: { id: "29:mallory" },
  conversation: { id: "a:1", conversationType: "personal", tenantId: teams.tenantId },
  text: "thanks",
  ...rest,
});
const send = async (claims: object, rest: object = {}) =>
  (await teams.send(messageWith(rest), claims as Record<string, unknown>)).status;

describe("POST /bot/teams/messages", () => {
  it("accepts a token of the Bot Connector", async () => {
    expect(await send({})).toBe(202);
  });

  it.each([
    ["for another app", () => ({ aud: "another" })],
    ["of another issuer", () => ({ iss: "https://evil.example" })],
    ["that has expired", () => ({ exp: Math.floor(Date.now() / 1_000) - 600 })],
    ["without a service URL", () => ({ serviceurl: undefined })],
    ["that is no token", () => ({ token: "x" })],
    ["of a key of the tenant", () => ({ signer: teams.tenant })],
  ])("returns 401 for a token %s", async (_, claims) => {
    expect(await send(claims())).toBe(401);
  });

  it("returns 401 for a token that an unknown key signed under a known name", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    expect(await send({ signer: { ...teams.connector, key: privateKey } })).toBe(401);
  });

  it("returns 401 for a token without a signature", async () => {
    const claims = { iss: "https://api.botframework.com", aud: teams.appId, exp: 4_000_000_000 };
    const parts = [{ alg: "none" }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString("base64url"),
    );
    expect(await send({ token: `${parts.join(".")}.` })).toBe(401);
  });

  it("returns 401 for a key that signs for other channels", async () => {
    const { endorsements } = teams.connector.jwk;
    const other = await startFakeTeams();
    other.connector.jwk["endorsements"] = ["directline"];
    const service = await startTestService({ ...other.settings });
    other.appUrl = service.baseUrl;
    const activity = { ...messageWith({}), serviceUrl: `${other.baseUrl}/teams/` };
    expect((await other.send(activity)).status).toBe(401);
    await service.stop();
    await other.close();
    expect(endorsements).toEqual(["msteams"]);
  });

  it("accepts a token of the tenant only from the app itself", async () => {
    const iss = `${teams.baseUrl}/${teams.tenantId}/v2.0`;
    const claims = { iss, aud: teams.appId };
    const own = await sign(teams.tenant, { ...claims, azp: teams.appId });
    const other = await sign(teams.tenant, { ...claims, azp: "another" });
    expect(await send({ token: own })).toBe(202);
    expect(await send({ token: other })).toBe(401);
  });

  it.each([
    ["that its token does not name", () => ({}), () => `${teams.baseUrl}/other/`],
    [
      "of another host",
      () => ({ serviceurl: "https://evil.example/" }),
      () => "https://evil.example/",
    ],
    [
      "with a user",
      () => ({ serviceurl: teams.baseUrl.replace("//", "//me@") }),
      () => teams.baseUrl.replace("//", "//me@"),
    ],
  ])("returns 403 for a service URL %s", async (_, claims, serviceUrl) => {
    expect(await send(claims(), { serviceUrl: serviceUrl() })).toBe(403);
  });

  it.each([
    ["of another channel", { channelId: "directline" }],
    ["with an ID that is a path", { conversation: { id: "../../x" } }],
    ["without a sender", { from: undefined }],
    ["with a text that is too long", { text: "x".repeat(200_001) }],
  ])("returns 400 for an activity %s", async (_, rest) => {
    const { status, text } = await teams.send(messageWith(rest));
    expect(status).toBe(400);
    expect(text).toContain("Invalid Teams activity.");
  });

  it("returns 413 for a body that is too large", async () => {
    expect(await send({}, { value: "x".repeat(600_000) })).toBe(413);
  });

  it("answers an invoke that it does not know", async () => {
    const rest = { type: "invoke", name: "task/fetch", value: {} };
    const { text } = await teams.send(messageWith(rest));
    expect(JSON.parse(text)).toMatchObject({ statusCode: 501 });
  });

  it("stores nothing of a tenant that is not connected", async () => {
    expect(await send({})).toBe(202);
    expect(await countInbox(test)).toBe(0);
  });
});

describe("GET /bot/teams/app.zip", () => {
  it("returns the app as a ZIP archive with a manifest and two icons", async () => {
    const shown = await fetch(`${test.baseUrl}/bot/teams/app.zip`);
    const bytes = Buffer.from(await shown.arrayBuffer());
    expect(shown.headers.get("content-type")).toBe("application/zip");
    const end = bytes.subarray(-22);
    expect(end.readUInt16LE(10)).toBe(3);
    const start = bytes.indexOf("{");
    const manifest = JSON.parse(
      bytes.subarray(start, start + bytes.readUInt32LE(18)).toString(),
    ) as unknown;
    expect(manifest).toMatchObject({ id: teams.appId, bots: [{ botId: teams.appId }] });
  });
});
