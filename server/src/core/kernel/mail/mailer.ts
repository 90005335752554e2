import { setTimeout as sleep } from "node:timers/promises";
import type { Transporter } from "nodemailer";
import type { Config } from "#config";
import { lazy } from "#lib/lazy";
import type { Log } from "#lib/log";

/** A mail of plain text. Links stand in lines of their own. */
type Mail = { to: string; subject: string; lines: readonly string[] };

/** Sends mail to people. */
export type Mailer = {
  /** False where no mail server is set: then mails are written to the log, for the operator to pass on. */
  isConfigured: boolean;
  /**
   * Hands a mail over without waiting for its delivery: how long that takes would tell who has an account. What
   * fails is logged, without what was in it.
   */
  send(mail: Mail): void;
  /** Waits a few seconds for what is under way. */
  close(): Promise<void>;
};

const timeoutMs = 20_000;
/** A mail server that does not answer must not hold up the end of the process. */
const closeMs = 5_000;

/** Mail by SMTP, or into the log. */
export function createMailer(config: Config, log: Log): Mailer {
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (url === undefined) {
    const send = ({ to, subject, lines }: Mail) =>
      log.warn(
        { to, subject, text: lines.join("\n") },
        "no mail server is set (SMTP_URL): pass this on",
      );
    return { isConfigured: false, send, close: async () => undefined };
  }
  // Loaded with the first mail, which many services never send.
  let opened: Transporter | undefined;
  const open = lazy(async () => {
    const { createTransport } = await import("nodemailer");
    opened = createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // Nothing that a person wrote makes the library read a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return opened;
  });
  const underWay = new Set<Promise<void>>();
  const deliver = async ({ to, subject, lines }: Mail) => {
    try {
      const transport = await open();
      await transport.sendMail({
        from: from ?? `Toolhost <no-reply@${new URL(config.baseUrl).hostname}>`,
        to: { name: "", address: to },
        subject: subject.replaceAll(/[\r\n]+/g, " "),
        text: `${lines.join("\n\n")}\n`,
        headers: { "Auto-Submitted": "auto-generated" },
      });
    } catch (error) {
      log.error({ err: error }, "a mail could not be sent");
    }
  };
  return {
    isConfigured: true,
    send: (mail) => {
      const sending = deliver(mail).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    close: async () => {
      await Promise.race([Promise.all(underWay), sleep(closeMs, undefined, { ref: false })]);
      opened?.close();
    },
  };
}
