import process from "node:process";
import { toJsonText, toTerminalText } from "./text.ts";

/** Where a command writes. Results go to stdout; what accompanies them, to stderr. */
export type Terminal = {
  readonly isJson: boolean;
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  /** Whether results are for a person, who gets long texts shortened. Pipes and files get all of them. */
  readonly isForPerson: boolean;
  /** Aborts when the results have no reader left, as after `| head`. */
  readonly closed: AbortSignal;
  /** The result of the command: one JSON document with `--json`, otherwise the lines. */
  result(value: unknown, lines: () => readonly string[] | string): void;
  /** A line of a result that arrives in parts, such as a log: JSON Lines with `--json`. */
  part(value: unknown, line: () => string): void;
  /** A remark for people, which `--json` leaves out. */
  note(text: string): void;
  /** Shows what the command waits for: a spinner on a terminal, and nothing elsewhere. */
  wait(text: string): Waiting;
};

/** A spinner. */
type Waiting = { update(text: string): void; done(): void };

type Options = { isJson: boolean; env?: Readonly<Record<string, string | undefined>> };

/** The terminal of this process. Colors and spinners need a terminal, and `NO_COLOR` or `CI` turns them off. */
export function createTerminal({ isJson, env = process.env }: Options): Terminal {
  const { stdout, stderr, stdin } = process;
  const isCi = isSet(env["CI"]);
  const hasColor = (stream: { isTTY?: boolean }) =>
    stream.isTTY === true && !isSet(env["NO_COLOR"]) && env["TERM"] !== "dumb" && !isCi;
  const write = (stream: NodeJS.WriteStream, text: string) =>
    stream.write(`${toTerminalText(text, hasColor(stream))}\n`);
  const closed = new AbortController();
  stdout.once("error", () => closed.abort());
  return {
    isJson,
    closed: closed.signal,
    isForPerson: stdout.isTTY,
    isInteractive: stdin.isTTY && stderr.isTTY && !isCi && !isJson,
    result: (value, lines) => {
      if (isJson) {
        stdout.write(`${toJsonText(value, 2)}\n`);
        return;
      }
      const text = lines();
      for (const line of typeof text === "string" ? [text] : text) write(stdout, line);
    },
    part: (value, line) => {
      if (isJson) stdout.write(`${toJsonText(value)}\n`);
      else write(stdout, line());
    },
    note: (text) => {
      if (!isJson) write(stderr, text);
    },
    wait: (text) =>
      isJson || !hasColor(stderr) ? { update: () => {}, done: () => {} } : startSpinner(text),
  };
}

const isSet = (value: string | undefined) => value !== undefined && value !== "" && value !== "0";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 80;
/** Below it, a spinner would only flicker. */
const delayMs = 200;

function startSpinner(first: string): Waiting {
  const { stderr } = process;
  let text = first;
  let frame = 0;
  let isShown = false;
  const draw = () => {
    isShown = true;
    const line = toTerminalText(text.replaceAll("\n", " "), false);
    const space = Math.max(10, (stderr.columns || 80) - 3);
    stderr.write(`\r\u001B[K${frames[frame++ % frames.length]} ${line.slice(0, space)}`);
  };
  let timer: NodeJS.Timeout = setTimeout(() => {
    draw();
    timer = setInterval(draw, frameMs).unref();
  }, delayMs).unref();
  return {
    update: (next) => (text = next),
    done: () => {
      clearTimeout(timer);
      clearInterval(timer);
      if (isShown) stderr.write("\r\u001B[K");
      isShown = false;
    },
  };
}
