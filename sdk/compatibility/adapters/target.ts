import process from "node:process";
import { createClient } from "@toolhost/client";

/** The service and the tools to use: one that doubles `n`, one that fails, and one that needs confirmation. */
export const target = JSON.parse(process.env["TARGET"] ?? "") as {
  baseUrl: string;
  apiKey: string;
  doubler: string;
  broken: string;
  confirmed: string;
};

export const client = createClient(target);

/** Prints what the test compares. */
export function report(seen: { output: unknown; failure: string; isConfirmed: boolean }): void {
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}
