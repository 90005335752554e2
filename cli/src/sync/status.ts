import { isConflict } from "../project/compare.ts";
import type { State } from "../project/compare.ts";
import type { Session } from "../session.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { styled, toTable } from "../terminal/text.ts";
import type { Style } from "../terminal/text.ts";
import { surveyProject } from "./survey.ts";

/** Shows each tool's state between project and server. */
export async function status(session: Session): Promise<number> {
  const project = await session.requireProject();
  const { client, address } = await session.connect();
  const { entries, unlinked } = await surveyProject(project, client);
  const tools = entries.map(({ folder, state, link, remote }) => ({
    folder,
    state,
    name: remote?.name ?? link?.name ?? null,
    baseVersion: link?.version ?? null,
    serverVersion: remote?.version ?? null,
  }));
  const rest = unlinked.map(({ name, title }) => ({ name, title }));
  session.terminal.result({ address, tools, notInProject: rest }, () => [
    ...(tools.length === 0 ? ["The project has no tools. Create one: toolhost new NAME"] : []),
    ...toTable(
      tools.map(({ folder, state, name, serverVersion }) => [
        folder,
        styled(styleOf(state), state),
        name ?? "",
        serverVersion === null ? "" : `version ${serverVersion}`,
      ]),
    ),
  ]);
  if (tools.length === 0 && rest.length > 0) {
    session.terminal.note(`Or add the ${rest.length} tools of the workspace: toolhost pull --all`);
  }
  return exitCodes.ok;
}

function styleOf(state: State): Style {
  if (isConflict(state)) return "red";
  return state === "unchanged" ? "dim" : "yellow";
}
