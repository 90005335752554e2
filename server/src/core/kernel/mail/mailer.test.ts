import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { createLog } from "#lib/log";
import { startMailbox } from "#testing/mailbox";
import type { Mailbox } from "#testing/mailbox";
import { createMailer } from "./mailer.ts";

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox("user", "pass word");
});
afterAll(() => mailbox.close());

/** A log that records its lines. */
function listen() {
  const lines: unknown[] = [];
  const log = createLog("silent");
  const note = (fields: unknown) => void lines.push(fields);
  return { lines, log: Object.assign(log, { warn: note, error: note }) };
}

const mail = {
  to: "ada@example.com",
  subject: "Hello",
  lines: ["One", "https://example.com/?a=b"],
};

describe("createMailer", () => {
  it("sends the text unchanged and prevents header injection", async () => {
    const { log, lines } = listen();
    const url = mailbox.url.replace("pass word", "pass%20word");
    const mailer = createMailer(readConfig({ SMTP_URL: url }), log);
    mailer.send({ ...mail, subject: "Join\r\nBcc: eve@example.com" });
    const sent = await mailbox.next("ada@example.com");
    await mailer.close();
    expect(sent).toContain("https://example.com/?a=b");
    expect(sent).toMatch(/^Subject: Join Bcc: eve@example.com\r?$/m);
    expect(sent).not.toMatch(/^Bcc:/m);
    expect(lines).toEqual([]);
  });

  it("logs a failure without the content", async () => {
    const { log, lines } = listen();
    const url = mailbox.url.replace("pass word", "wrong");
    const mailer = createMailer(readConfig({ SMTP_URL: url }), log);
    mailer.send(mail);
    await mailer.close();
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain("a=b");
  });

  it("writes emails to the log without a mail server", () => {
    const { log, lines } = listen();
    const mailer = createMailer(readConfig({}), log);
    expect(mailer.isConfigured).toBe(false);
    mailer.send(mail);
    expect(lines).toEqual([{ to: mail.to, subject: mail.subject, text: mail.lines.join("\n") }]);
  });
});
