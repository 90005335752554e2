import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { addLinked, answersIn, connectTeam, drainInbox, soon } from "#testing/chat";
import { wordsOf } from "#testing/chat-press";
import { startFakeSlack } from "#testing/fake-slack";
import type { FakeSlack, FakeTeam } from "#testing/fake-slack";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let slack: FakeSlack;
let team: FakeTeam;
let user: string;

beforeAll(async () => {
  slack = await startFakeSlack();
  test = await startTestService(slack.settings);
  slack.appUrl = test.baseUrl;
  team = slack.addTeam("Engineering");
  await connectTeam(test, team);
  ({ user } = await addLinked(test, slack, team, "member"));
});
afterAll(async () => {
  await test.stop();
  await slack.close();
});

/** Requests as people write them, with the title of the tool that answers each. */
const requests: readonly [string, string][] = [
  ["convert 5 miles to km", "Unit converter"],
  ["how many pounds are 80 kilograms?", "Unit converter"],
  ["what is 100 fahrenheit in celsius", "Unit converter"],
  ["how many days are between 2026-01-01 and 2026-03-15?", "Date calculator"],
  ["add 3 weeks to 2026-05-04", "Date calculator"],
  ["which weekday is 2026-12-24", "Date calculator"],
  ["make a QR code for https://example.com", "QR code"],
  ["I need a qr code of our wifi password", "QR code"],
  ["generate a random password with 20 characters", "Password, UUID and hash generator"],
  ["give me a uuid", "Password, UUID and hash generator"],
  ["sha256 hash of hello", "Password, UUID and hash generator"],
  ["count the words in this text: the quick brown fox", "Text statistics"],
  ["how long does it take to read this text?", "Text statistics"],
  ["turn this markdown into html: # Hi", "Markdown to HTML"],
  ["convert csv to json", "CSV to JSON"],
  ["parse this csv: a,b 1,2", "CSV to JSON"],
  ["compare two json documents", "JSON diff"],
  ["what is the difference between these two JSON objects", "JSON diff"],
  ["query a json document with a path", "JSON query"],
  ["test the regex ^a+b$ against aaab", "Regex tester"],
  ["does this regular expression match?", "Regex tester"],
  ["list the open issues of the repository nodejs/node on github", "GitHub issues"],
  ["send a GET request to https://example.com/health", "HTTP request"],
  ["convert an image to png", "Image converter"],
  ["count down from 10 seconds", "Countdown"],
];

it("offers the right tool alone or among three for 24 of 25 requests, and runs none", async () => {
  const wrong: string[] = [];
  for (const [request, title] of requests) {
    const { ts } = await slack.mention(team, user, request);
    const message = await vi.waitUntil(() => answersIn(team, ts)[0], soon);
    if (!wordsOf(message).includes(title)) wrong.push(`${request}: ${message.text}`);
  }
  await drainInbox(test);
  expect(requests).toHaveLength(25);
  expect(wrong.slice(1)).toEqual([]);
  expect((await test.call("GET", "/runs")).body).toEqual([]);
});
