import type { LogLine } from "@toolhost/client";
import type { Session } from "../session.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { styled } from "../terminal/text.ts";
import { questionText } from "./question-text.ts";
import { showLogLine } from "./show-run.ts";

/** Prints the log of a run: what there is, or everything until its end. */
export async function logs(
  { connect, terminal }: Session,
  { follow = false }: { follow?: boolean },
  runId: string,
) {
  const { client } = await connect();
  if (follow) return followLog({ client, terminal }, runId);
  const lines: LogLine[] = [];
  for await (const event of client.runs.logs(runId)) {
    if (event.type === "log")
      lines.push({ at: event.at, level: event.level, message: event.message });
  }
  if (terminal.isJson) terminal.result(lines, () => []);
  else for (const line of lines) showLogLine(terminal, line, "part");
  return exitCodes.ok;
}

type Parts = {
  client: Awaited<ReturnType<Session["connect"]>>["client"];
  terminal: Session["terminal"];
};

async function followLog({ client, terminal }: Parts, runId: string) {
  try {
    return await printEvents({ client, terminal }, runId);
  } catch (error) {
    if (terminal.closed.aborted) return exitCodes.ok;
    throw error;
  }
}

async function printEvents({ client, terminal }: Parts, runId: string) {
  for await (const event of client.runs.logs(runId, { follow: true, signal: terminal.closed })) {
    if (event.type === "end") {
      const { status, error } = event.run;
      terminal.part({ type: "end", status, error }, () =>
        styled(status === "completed" ? "green" : "red", `Run ${runId} ${status}`),
      );
      return status === "completed" ? exitCodes.ok : exitCodes.failed;
    }
    if (event.type === "log") {
      if (terminal.isJson) terminal.part(event, () => "");
      else showLogLine(terminal, event, "part");
    } else if (event.type === "question") {
      const { message } = event.question ?? {};
      if (terminal.isJson) terminal.part(event, () => "");
      else if (message !== undefined) {
        const { toolName } = await client.runs.get(runId);
        terminal.note(questionText(toolName, message));
      }
    } else {
      const { fraction, message = "" } = event;
      terminal.part(event, () => styled("dim", `${Math.round(fraction * 100)} % ${message}`));
    }
  }
  return exitCodes.ok;
}
