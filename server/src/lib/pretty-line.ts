import { styleText } from "node:util";

type Color = Parameters<typeof styleText>[0];

/** The levels of pino by number. */
const levels: Readonly<Record<number, { name: string; color: Color }>> = {
  10: { name: "TRACE", color: "dim" },
  20: { name: "DEBUG", color: "dim" },
  30: { name: "INFO ", color: "green" },
  40: { name: "WARN ", color: "yellow" },
  50: { name: "ERROR", color: "red" },
  60: { name: "FATAL", color: "magenta" },
};

type Line = { level: number; time: number; msg?: unknown; err?: unknown };

/** A JSON line of the log as text for people: time, level, message, fields, and the stack of an error on its own lines. */
export function prettyLine(json: string, { hasColors }: { hasColors: boolean }): string {
  const { level, time, msg = "", err, ...rest } = JSON.parse(json) as Line;
  const { pid: _, hostname: __, ...fields } = rest as Readonly<Record<string, unknown>>;
  const { name, color } = levels[level] ?? { name: String(level), color: "reset" };
  const paint = (style: Color, text: string) =>
    hasColors ? styleText(style, text, { validateStream: false }) : text;
  const words = [
    paint("dim", new Date(time).toTimeString().slice(0, 8)),
    paint(color, name),
    visible(String(msg)),
    ...Object.entries(fields).map(([field, value]) =>
      paint("dim", visible(`${field}=${shown(value)}`)),
    ),
  ];
  const stack = err === undefined ? "" : `${paint(color, indented(err))}\n`;
  return `${words.join(" ")}\n${stack}`;
}

/** Plain words without quotes, everything else as JSON. */
function shown(value: unknown): string {
  const isPlain = typeof value === "string" && /^[\w./:@-]+$/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

function indented(error: unknown): string {
  const stack = Object(error).stack;
  const text = typeof stack === "string" ? stack : JSON.stringify(error);
  return text
    .split("\n")
    .map((line) => `    ${visible(line)}`)
    .join("\n");
}

/** Logged values may come from outside and must not control the terminal or hide text. */
function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
