import { createHmac, randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { ToolhostError, verifyWebhook, WebhookVerificationError } from "./index.ts";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const payload = JSON.stringify({ type: "run.completed", data: { text: "größe 😀" } });
const id = "msg_1";

/** The headers of a webhook as the reference implementation signs it. */
function sign({ key = secret, body = payload, at = Date.now() } = {}) {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": new Webhook(key).sign(id, new Date(at), body),
  };
}

describe("verifyWebhook", () => {
  it("returns the payload that the reference implementation signed", async () => {
    const expected: unknown = JSON.parse(payload);
    expect(await verifyWebhook({ payload, headers: sign(), secret })).toEqual(expected);
    const bytes = new TextEncoder().encode(payload);
    const headers = new Headers(sign());
    expect(await verifyWebhook({ payload: bytes, headers, secret })).toEqual(expected);
    const raw = secret.replace("whsec_", "");
    expect(await verifyWebhook({ payload, headers: sign(), secret: raw })).toEqual(expected);
  });

  it("accepts one of several signatures and secrets", async () => {
    const other = `whsec_${randomBytes(24).toString("base64")}`;
    const headers = sign();
    const signatures = `v1a,AAAA v1,%%% v1,${btoa("short")} ${headers["webhook-signature"]}`;
    const request = { payload, headers: { ...headers, "webhook-signature": signatures } };
    await expect(verifyWebhook({ ...request, secret: [other, secret] })).resolves.toBeDefined();
    await expect(verifyWebhook({ ...request, secret: other })).rejects.toThrow(
      WebhookVerificationError,
    );
  });

  it("reads names of headers in any case, and lists of values", async () => {
    const headers = Object.fromEntries(
      Object.entries(sign()).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    await expect(verifyWebhook({ payload, headers, secret })).resolves.toBeDefined();
  });

  it("reads headers from a map, and from an object that only has get", async () => {
    const map = new Map(Object.entries(sign()).map(([name, value]) => [name.toUpperCase(), value]));
    await expect(verifyWebhook({ payload, headers: map, secret })).resolves.toBeDefined();
    const values = new Headers(sign());
    const headers = { get: (name: string) => values.get(name) };
    await expect(verifyWebhook({ payload, headers, secret })).resolves.toBeDefined();
    const without = { get: () => null };
    await expect(verifyWebhook({ payload, headers: without, secret })).rejects.toThrow(
      WebhookVerificationError,
    );
  });

  it("rejects an authentic payload that is not UTF-8", async () => {
    const bytes = new Uint8Array([0x22, 0xff, 0x22]);
    const at = Math.floor(Date.now() / 1_000);
    const signature = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
      .update(`${id}.${at}.`)
      .update(bytes)
      .digest("base64");
    const headers = { ...sign(), "webhook-timestamp": `${at}` };
    const signed = { ...headers, "webhook-signature": `v1,${signature}` };
    await expect(verifyWebhook({ payload: bytes, headers: signed, secret })).rejects.toThrow(
      /no JSON in UTF-8/,
    );
  });

  it("throws ToolhostError for arguments of other types", async () => {
    const request = { payload, headers: sign({ at: 0 }), secret };
    const wrong: object[] = [
      ...[NaN, -1, null, "x"].map((toleranceMs) => ({ toleranceMs })),
      ...[JSON.parse(payload), null, undefined, 1].map((body: unknown) => ({ payload: body })),
      ...[null, undefined, "text"].map((headers) => ({ headers })),
      { headers: { ...sign(), "webhook-signature": [5] } },
      { headers: sign(), secret: undefined },
      { headers: sign(), secret: [null] },
    ];
    for (const argument of wrong) {
      const verifying = verifyWebhook({ ...request, ...argument });
      await expect(verifying).rejects.toThrow(ToolhostError);
    }
  });

  it("rejects a changed payload, ID or time, and a missing header", async () => {
    const headers = sign();
    const changed = [
      { payload: payload.replace("completed", "failed"), headers },
      { payload: `${payload} `, headers },
      { payload, headers: { ...headers, "webhook-id": "msg_2" } },
      {
        payload,
        headers: { ...headers, "webhook-timestamp": String(Math.floor(Date.now() / 1_000) - 9) },
      },
      { payload, headers: { ...headers, "webhook-signature": "" } },
      { payload, headers: { ...headers, "webhook-id": undefined } },
    ];
    for (const request of changed) {
      await expect(verifyWebhook({ ...request, secret })).rejects.toThrow(WebhookVerificationError);
    }
  });

  it("rejects webhooks older than the tolerance, from the future, or without a numeric time", async () => {
    const at = (time: number) => verifyWebhook({ payload, headers: sign({ at: time }), secret });
    await expect(at(Date.now() - 290_000)).resolves.toBeDefined();
    await expect(at(Date.now() - 310_000)).rejects.toThrow(WebhookVerificationError);
    await expect(at(Date.now() + 310_000)).rejects.toThrow(WebhookVerificationError);
    const headers = { ...sign(), "webhook-timestamp": "now" };
    await expect(verifyWebhook({ payload, headers, secret })).rejects.toThrow(
      WebhookVerificationError,
    );
  });

  it("throws for a secret that is none", async () => {
    const headers = sign();
    await expect(verifyWebhook({ payload, headers, secret: "whsec_" })).rejects.toThrow(
      ToolhostError,
    );
    await expect(verifyWebhook({ payload, headers, secret: "whsec_%" })).rejects.toThrow(
      ToolhostError,
    );
  });
});
