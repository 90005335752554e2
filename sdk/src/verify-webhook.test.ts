import { randomBytes } from "node:crypto";
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
