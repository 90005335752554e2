import { SMTPServer } from "smtp-server";

/** A mail server that stores the emails that it receives. */
export type Mailbox = {
  url: string;
  /** The next email to an address, with its lines joined. */
  next(to: string): Promise<string>;
  /** From now on refuses emails for a while, or accepts them again. */
  refuse(isRefusing: boolean): void;
  /** The number of received emails. */
  count(): number;
  close(): Promise<void>;
};

const timeoutMs = 10_000;

/** Starts a mail server on this machine that requires this user and password. */
export async function startMailbox(user: string, password: string): Promise<Mailbox> {
  const mails: { to: string[]; text: string }[] = [];
  let count = 0;
  let isRefusing = false;
  const server = new SMTPServer({
    authOptional: false,
    disabledCommands: ["STARTTLS"],
    onAuth: (auth, _session, done) => {
      const isRight = auth.username === user && auth.password === password;
      done(isRight ? null : new Error("wrong password"), { user });
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (isRefusing) {
          done(Object.assign(new Error("Try again later"), { responseCode: 451 }));
          return;
        }
        count += 1;
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, text: decode(Buffer.concat(chunks).toString()) });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `smtp://${user}:${password}@127.0.0.1:${port}`,
    next: async (to) => {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const index = mails.findIndex((mail) => mail.to.includes(to));
        const [found] = index < 0 ? [] : mails.splice(index, 1);
        if (found !== undefined) return found.text;
        if (Date.now() > deadline) throw new Error(`No mail came to ${to}`);
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      }
    },
    refuse: (should) => {
      isRefusing = should;
    },
    count: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
      }),
  };
}

/** Joins lines that quoted-printable encoding has split (RFC 2045, section 6.7). */
function decode(raw: string): string {
  return raw
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
}
