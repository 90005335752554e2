import { expect, test } from "vitest";
import { ConcurrencyLimiter } from "./concurrency-limiter.ts";

test("lets requests through in order, up to the limit at a time", async () => {
  const limiter = new ConcurrencyLimiter(2);
  const order: number[] = [];
  let most = 0;
  let open = 0;
  const work = async (n: number) => {
    expect(await limiter.acquire()).toBe(true);
    order.push(n);
    most = Math.max(most, (open += 1));
    await new Promise((resolve) => setTimeout(resolve, 1));
    open -= 1;
    limiter.release();
  };
  const all = Array.from({ length: 20 }, (_, n) => n);
  await Promise.all(all.map(work));
  expect(order).toEqual(all);
  expect(most).toBe(2);
});

test("rejects waiting requests when none ends for too long, and accepts new ones", async () => {
  const limiter = new ConcurrencyLimiter(1, 30);
  expect(await limiter.acquire()).toBe(true);
  expect(await Promise.all([limiter.acquire(), limiter.acquire()])).toEqual([false, false]);
  const next = limiter.acquire();
  limiter.release();
  expect(await next).toBe(true);
});

test("rejects all waiting requests on demand", async () => {
  const limiter = new ConcurrencyLimiter(1);
  await limiter.acquire();
  const waiting = limiter.acquire();
  limiter.rejectWaiting();
  expect(await waiting).toBe(false);
});
