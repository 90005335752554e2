import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { soon } from "#testing/chat";
import { startFakeMattermost } from "#testing/fake-mattermost";
import type { FakeMattermost } from "#testing/fake-mattermost";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { startMattermostSocket } from "./mattermost-socket.ts";

let test: TestService;
let chat: FakeMattermost;

beforeAll(async () => {
  chat = await startFakeMattermost();
  test = await startTestService();
});
afterAll(async () => {
  await test.stop();
  await chat.close();
});

/** From now on, the server neither answers nor completes the closing handshake. */
const silence = () => {
  for (const connection of chat.socket.connections) connection.pause();
};

it("opens another connection after one went silent, and stops at once despite a silent one", async () => {
  const { context } = test.service;
  const settings = { MATTERMOST_URL: chat.baseUrl, MATTERMOST_BOT_TOKEN: chat.botToken };
  const config = { ...context.config, ...settings };
  const socket = startMattermostSocket({ ...context, config }, 500);
  await vi.waitUntil(() => chat.socket.opened === 1, soon);
  silence();
  await vi.waitUntil(() => chat.socket.opened > 1, soon);
  silence();
  const startedAt = performance.now();
  await socket.stop();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
