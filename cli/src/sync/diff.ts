import type { Session } from "../session.ts";
import { isConflict } from "../project/compare.ts";
import type { State } from "../project/compare.ts";
import { toFolder } from "../project/typed-folder.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { styled } from "../terminal/text.ts";
import { toMarkdown } from "./markdown.ts";
import { showDifference } from "./show-difference.ts";
import { surveyProject } from "./survey.ts";

export type DiffFlags = { markdown?: boolean; exitCode?: boolean };

/** States without a difference. */
const isEqual: ReadonlySet<State> = new Set([
  "unchanged",
  "same change",
  "same content, not linked",
  "gone",
]);

/** Shows what a push would change on the server. */
export async function diff(session: Session, flags: DiffFlags, ...typed: string[]) {
  const project = await session.requireProject();
  const folders = typed.map((word) => toFolder(project, session.cwd, word));
  const { client } = await session.connect();
  const survey = await surveyProject(project, client, folders);
  const changed = survey.entries
    .filter(({ state }) => !isEqual.has(state))
    .map(({ folder, state, remote, local, link }) => ({
      folder,
      state,
      name: remote?.name ?? link?.name ?? null,
      lines: showDifference({ folder, before: remote?.definition, after: local?.definition }),
      credentials: local?.definition.credentials.map(({ name }) => name) ?? [],
      allowedHosts: local?.definition.allowedHosts ?? [],
    }));
  session.terminal.result(
    changed.map(({ lines, ...rest }) => ({ ...rest, diff: lines.map(plain).join("\n") })),
    () => {
      if (flags.markdown === true) return toMarkdown(changed);
      if (changed.length === 0) return "No differences.";
      return changed.flatMap(({ folder, state, lines }) => [
        `${styled("bold", folder)}: ${styled(isConflict(state) ? "red" : "yellow", state)}`,
        ...lines,
      ]);
    },
  );
  return flags.exitCode === true && changed.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Without the marks of styles. */
const plain = (line: string) => line.replaceAll(/[\uE000-\uE00F]/g, "");
