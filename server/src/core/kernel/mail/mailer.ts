import { setTimeout as sleep } from "node:timers/promises";
import type { Transporter } from "nodemailer";
import type { Config } from "#config";
import { lazy } from "#lib/lazy";
import type { Log } from "#lib/log";

/** A plain-text email. Each link is a separate line. */
export type Mail = { to: string; subject: string; lines: readonly string[] };

/** Sends email to users. */
export type Mailer = {
  /** False if no mail server is configured. Emails are then written to the log, and the operator forwards them. */
  isConfigured: boolean;
  /**
   * Queues an email without waiting for its delivery, because the response time would reveal who has an account.
   * Failures are logged without the content.
   */
  send(mail: Mail): void;
  /**
   * Resolves once the mail server has accepted an email, and throws if it has not. The ID makes repeated attempts the same
   * message, which mail servers and programs may show once.
   */
  deliver(mail: Mail, id: string): Promise<void>;
  /** Waits a few seconds for emails that are being sent. */
  close(): Promise<void>;
};

const timeoutMs = 20_000;
/** A mail server that does not respond must not delay the shutdown for longer. */
const closeMs = 5_000;

/** Sends email over SMTP, or writes it to the log. */
export function createMailer(config: Config, log: Log): Mailer {
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (url === undefined) {
    const send = ({ to, subject, lines }: Mail) =>
      log.warn(
        { to, subject, text: lines.join("\n") },
        "SMTP_URL is not set: forward this email to its recipient",
      );
    const deliver = async (mail: Mail) => send(mail);
    return { isConfigured: false, send, deliver, close: async () => undefined };
  }
  // Loaded with the first email, because many services never send one.
  let opened: Transporter | undefined;
  const open = lazy(async () => {
    const { createTransport } = await import("nodemailer");
    opened = createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // User input must not make the library read a file or a URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return opened;
  });
  const pending = new Set<Promise<void>>();
  const { hostname } = new URL(config.baseUrl);
  const deliver = async ({ to, subject, lines }: Mail, id?: string) => {
    const transport = await open();
    await transport.sendMail({
      from: from ?? `Toolhost <no-reply@${hostname}>`,
      to: { name: "", address: to },
      subject: subject.replaceAll(/[\r\n]+/g, " "),
      text: `${lines.join("\n\n")}\n`,
      headers: { "Auto-Submitted": "auto-generated" },
      ...(id === undefined ? {} : { messageId: `<${id}@${hostname}>` }),
    });
  };
  return {
    isConfigured: true,
    send: (mail) => {
      const sending = deliver(mail)
        .catch((error: unknown) => log.error({ err: error }, "could not send an email"))
        .finally(() => pending.delete(sending));
      pending.add(sending);
    },
    deliver,
    close: async () => {
      await Promise.race([Promise.all(pending), sleep(closeMs, undefined, { ref: false })]);
      opened?.close();
    },
  };
}
