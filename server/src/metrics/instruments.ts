import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";

type Read<T> = () => T | Promise<T>;

/** Adds metrics whose values are read when they are collected. */
export type Instruments = {
  gauge: (name: string, help: string, read: Read<number>) => void;
  /** A total that something else counts. */
  counter: (name: string, help: string, read: Read<number>) => void;
  /** A metric with one value for each set of labels that `read` returns. */
  family: (
    kind: "gauge" | "counter",
    options: { name: string; help: string; labelNames: string[] },
    read: Read<readonly Sample[]>,
  ) => void;
};

type Sample = { labels: Record<string, string>; value: number };

/** All names begin with `toolhost_`. */
export function createInstruments(registry: Registry): Instruments {
  const instruments: Instruments = {
    gauge: (name, help, read) => {
      const options = { name, help, labelNames: [] };
      instruments.family("gauge", options, async () => [{ labels: {}, value: await read() }]);
    },
    counter: (name, help, read) => {
      const options = { name, help, labelNames: [] };
      instruments.family("counter", options, async () => [{ labels: {}, value: await read() }]);
    },
    family: (kind, { name, help, labelNames }, read) => {
      const options = { name: `toolhost_${name}`, help, labelNames, registers: [registry] };
      if (kind === "gauge") {
        const gauge = new Gauge({
          ...options,
          async collect() {
            const samples = await read();
            gauge.reset();
            for (const { labels, value } of samples) gauge.set(labels, value);
          },
        });
        return;
      }
      const counter = new Counter({
        ...options,
        async collect() {
          const samples = await read();
          counter.reset();
          for (const { labels, value } of samples) counter.inc(labels, value);
        },
      });
    },
  };
  return instruments;
}
