import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
// Imported by its path: a test without database statements runs once, not per dialect.
import { addFile, channelOf, startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { openSlack } from "./slack-transport.ts";

/** The requests to another host, which responds to all of them. */
const asked: string[] = [];
const elsewhere = createServer((request, response) => {
  asked.push(JSON.stringify([request.url, request.headers]));
  request.resume();
  response.end("what they want us to read");
});
let slack: FakeSlack;
let team: FakeTeam;
let foreign: string;

beforeAll(async () => {
  slack = await startFakeSlack();
  team = slack.addTeam("Files");
  team.token = "xoxb-token-of-the-test";
  team.scopes = new Set(["files:read", "files:write"]);
  await new Promise<void>((resolve) => {
    elsewhere.listen(0, "127.0.0.1", resolve);
  });
  foreign = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
});
afterAll(async () => {
  elsewhere.close();
  await slack.close();
});
beforeEach(() => {
  asked.length = 0;
  team.uploadUrl = undefined;
});

const open = () => {
  const { id: teamId, botUserId, token: secret = "" } = team;
  return openSlack(`${slack.baseUrl}/api/`, { teamId, botUserId, secret });
};

const reeds = (rest: { url?: string; movedTo?: string; size?: number } = {}) =>
  addFile(team, { text: "reeds", ...rest });

it("sends the team's token to Slack with a download", async () => {
  const { name, body } = await open().downloadFile(reeds(), 1_000);
  expect([name, await text(body)]).toEqual(["a.txt", "reeds"]);
});

it.each([
  ["another host", () => ({ url: `${foreign}/a` })],
  [
    "the same host by another name",
    () => ({ url: slack.baseUrl.replace("127.0.0.1", "localhost") }),
  ],
  ["a name that starts like Slack's", () => ({ url: "https://files.slack.com.evil.example/a" })],
  ["Slack's host as a user name", () => ({ url: slack.baseUrl.replace("//", "//slack.com@") })],
  ["a file of this machine", () => ({ url: "file:///etc/passwd" })],
  ["an empty URL", () => ({ url: "" })],
])("rejects a download from %s", async (_, where) => {
  await expect(open().downloadFile(reeds(where()), 1_000)).rejects.toThrow(/not Slack's/);
  expect(asked).toEqual([]);
});

it("rejects a redirect of a download to another host", async () => {
  const file = reeds({ movedTo: `${foreign}/moved` });
  await expect(open().downloadFile(file, 1_000)).rejects.toThrow("HTTP 302");
  expect(asked).toEqual([]);
});

it("rejects a download beyond the limit, regardless of the size that Slack reports", async () => {
  await expect(open().downloadFile(reeds(), 4)).rejects.toThrow("too large");
  const { body } = await open().downloadFile(reeds({ size: 1 }), 4);
  await expect(text(body)).rejects.toThrow("too large");
});

it("uploads a file to Slack's host only", async () => {
  const threadRef = { channel: channelOf(team), thread: "1.000001" };
  const file = () => ({
    name: "report.txt",
    mimeType: "text/plain",
    size: 4,
    body: Readable.from([Buffer.from("ours")]),
  });
  team.uploadUrl = `${foreign}/upload`;
  await expect(open().uploadFile(threadRef, file())).rejects.toThrow(/not Slack's/);
  expect(asked).toEqual([]);
  team.uploadUrl = undefined;
  await open().uploadFile(threadRef, file());
  expect([...team.files.values()].at(-1)?.body.toString()).toBe("ours");
});
