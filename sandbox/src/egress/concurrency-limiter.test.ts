import { expect, test } from "vitest";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

test("goes round in the order of asking, so many at a time", async () => {
  const turns = new ConcurrencyLimiter(2);
  const order: number[] = [];
  let most = 0;
  let open = 0;
  const work = async (n: number) => {
    expect(await turns.enter()).toBe(true);
    order.push(n);
    most = Math.max(most, (open += 1));
    await new Promise((resolve) => setTimeout(resolve, 1));
    open -= 1;
    turns.leave();
  };
  const all = Array.from({ length: 20 }, (_, n) => n);
  await Promise.all(all.map(work));
  expect(order).toEqual(all);
  expect(most).toBe(2);
});

test("is over for those who wait when nobody leaves for too long, and goes on for others", async () => {
  const turns = new ConcurrencyLimiter(1, 30);
  expect(await turns.enter()).toBe(true);
  expect(await Promise.all([turns.enter(), turns.enter()])).toEqual([false, false]);
  const next = turns.enter();
  turns.leave();
  expect(await next).toBe(true);
});

test("can be ended for all who wait", async () => {
  const turns = new ConcurrencyLimiter(1);
  await turns.enter();
  const waiting = turns.enter();
  turns.rejectWaiting();
  expect(await waiting).toBe(false);
});
