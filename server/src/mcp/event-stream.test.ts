import { describe, expect, it } from "vitest";
import { openEventStream } from "./event-stream.ts";

const large = { text: "x".repeat(1024 * 1024) };

describe("openEventStream", () => {
  it("sends events in order and ends once", async () => {
    let ends = 0;
    const stream = openEventStream(() => (ends += 1));
    stream.sendEvent("endpoint", "/here");
    stream.send({ id: 1 });
    stream.close();
    stream.close();
    stream.send({ id: 2 });
    expect(await stream.response.text()).toBe(
      'event: endpoint\ndata: /here\n\nevent: message\ndata: {"id":1}\n\n',
    );
    expect(ends).toBe(1);
  });

  it("drops offered messages when the client does not read", async () => {
    const stream = openEventStream(() => undefined);
    for (let count = 0; count < 10; count++) stream.offer(large);
    stream.close();
    expect((await stream.response.text()).match(/^data:/gm)).toHaveLength(1);
  });

  it("fails when the client leaves too much unread", async () => {
    let ends = 0;
    const stream = openEventStream(() => (ends += 1));
    for (let count = 0; count < 70; count++) stream.send(large);
    expect(ends).toBe(1);
    await expect(stream.response.text()).rejects.toThrow("does not read");
  });

  it("calls onEnd when the client disconnects", async () => {
    let ends = 0;
    const stream = openEventStream(() => (ends += 1));
    await stream.response.body?.cancel();
    expect(ends).toBe(1);
    stream.send({ id: 1 });
  });
});
