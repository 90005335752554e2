import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let talker: string;
beforeAll(async () => {
  test = await startTestService();
  talker = await test.makeTool(`export default async ({ lines, pauseMs }, ctx) => {
    for (let n = 1; n <= lines; n++) {
      console.log("line " + n);
      ctx.progress(n / lines, "at " + n);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return { lines };
  }`);
});
afterAll(() => test.stop());

type Event = { id?: string; event: string; data: { message?: string; status?: string } };

const streamOf = (runId: string, headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${test.baseUrl}/api/v1/runs/${runId}/logs`, {
    headers: { authorization: `Bearer ${test.apiKey}`, accept: "text/event-stream", ...headers },
    ...(signal === undefined ? {} : { signal }),
  });

async function begin(input: object): Promise<string> {
  const { body } = await test.call("POST", `/run/${talker}`, input, { prefer: "wait=0" });
  return String(body.runId);
}

function parse(text: string): Event[] {
  return text
    .split("\n\n")
    .map(
      (block) => new Map(block.split("\n").map((line) => line.split(": ", 2) as [string, string])),
    )
    .filter((fields) => fields.has("event"))
    .map((fields) => ({
      ...(fields.has("id") ? { id: fields.get("id") ?? "" } : {}),
      event: fields.get("event") ?? "",
      data: {},
    }));
}

/** Parses events; their data contains no line breaks. */
function events(text: string): Event[] {
  const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? "null"));
  return parse(text).map((event, index) => ({ ...event, data: data[index] }));
}

const messages = (all: readonly Event[]) =>
  all.filter(({ event }) => event === "log").map(({ data }) => data.message);

describe("GET /runs/:runId/logs as an event stream", () => {
  it("streams log lines and progress live, then the end", async () => {
    const runId = await begin({ lines: 4, pauseMs: 300 });
    const response = await streamOf(runId);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    // A chunk may contain several events.
    for (let n = 0; n < 3 && !text.includes("line 1"); n++)
      text += (await reader?.read())?.value ?? "";
    expect(messages(events(text))).toEqual(["line 1"]);
    expect((await test.call("GET", `/runs/${runId}`)).body.status).toBe("running");
    for (let isDone = false; !isDone;) {
      const chunk = await reader?.read();
      text += chunk?.value ?? "";
      isDone = chunk?.done !== false;
    }
    const all = events(text);
    expect(messages(all)).toEqual(["line 1", "line 2", "line 3", "line 4"]);
    expect(all.filter(({ event }) => event === "progress").length).toBeGreaterThan(1);
    expect(all.at(-1)).toMatchObject({ event: "end", data: { status: "completed", runId } });
    expect(text.startsWith("retry: ")).toBe(true);
  });

  it("resumes after Last-Event-ID, even when the run has finished", async () => {
    const runId = await begin({ lines: 5, pauseMs: 10 });
    const whole = events(await (await streamOf(runId)).text());
    const second = whole.filter(({ event }) => event === "log")[1]?.id ?? "";
    const rest = events(await (await streamOf(runId, { "last-event-id": second })).text());
    expect(messages(rest)).toEqual(["line 3", "line 4", "line 5"]);
    expect(rest.at(-1)?.event).toBe("end");
    const none = events(await (await streamOf(runId, { "last-event-id": "1-5" })).text());
    expect(messages(none)).toEqual([]);
    expect((await streamOf(runId, { "last-event-id": "x" })).status).toBe(400);
  });

  it("stores the log of a long run while it is in progress", async () => {
    const runId = await begin({ lines: 30, pauseMs: 100 });
    await new Promise((resolve) => setTimeout(resolve, 1_800));
    const { body: stored } = await test.call("GET", `/runs/${runId}/logs`);
    expect(stored.length).toBeGreaterThan(3);
    const all = events(await (await streamOf(runId)).text());
    expect(messages(all)).toEqual(Array.from({ length: 30 }, (_, n) => `line ${n + 1}`));
    expect((await test.call("GET", `/runs/${runId}/logs`)).body).toHaveLength(30);
  });

  it("streams the end of a cancelled run", async () => {
    const runId = await begin({ lines: 100, pauseMs: 200 });
    const streamed = streamOf(runId).then((response) => response.text());
    await new Promise((resolve) => setTimeout(resolve, 300));
    await test.call("POST", `/runs/${runId}/cancel`);
    expect(events(await streamed).at(-1)).toMatchObject({
      event: "end",
      data: { status: "cancelled" },
    });
  });

  it("releases the stream when the client disconnects", async () => {
    const runId = await begin({ lines: 100, pauseMs: 200 });
    const leaving = new AbortController();
    const response = await streamOf(runId, {}, leaving.signal);
    await response.body?.getReader().read();
    expect(test.service.context.concurrency.count("streams")).toBe(1);
    leaving.abort();
    await expect.poll(() => test.service.context.concurrency.count("streams")).toBe(0);
    await test.call("POST", `/runs/${runId}/cancel`);
  });

  it("occupies no stream after a HEAD request", async () => {
    const runId = await begin({ lines: 1, pauseMs: 0 });
    const headers = { authorization: `Bearer ${test.apiKey}`, accept: "text/event-stream" };
    const url = `${test.baseUrl}/api/v1/runs/${runId}/logs`;
    // More than the streams that an API key may have open.
    for (let n = 0; n <= 50; n++) {
      const head = await fetch(url, { method: "HEAD", headers });
      expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    }
    const response = await streamOf(runId);
    expect(response.status).toBe(200);
    expect(events(await response.text()).at(-1)).toMatchObject({ event: "end" });
  });

  it("returns 404 to another workspace", async () => {
    const runId = await begin({ lines: 1, pauseMs: 1 });
    const { apiKey } = await test.addPerson(await test.addWorkspace(), "owner");
    expect((await streamOf(runId, { authorization: `Bearer ${apiKey}` })).status).toBe(404);
  });
});
