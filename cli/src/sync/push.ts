import type { Session } from "../session.ts";
import { openJournal } from "../project/journal.ts";
import { withProjectLock } from "../project/project-lock.ts";
import { checkRepository, openRepository } from "../project/repository.ts";
import { toFolder } from "../project/typed-folder.ts";
import { CliError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { styled } from "../terminal/text.ts";
import { finishCreations } from "./create-tool.ts";
import { planPush } from "./plan-push.ts";
import type { PushFlags, PushStep } from "./plan-push.ts";
import { applyStep } from "./apply-push.ts";
import type { PushResult } from "./apply-push.ts";
import { plainLine } from "./safe-text.ts";
import { showDifference } from "./show-difference.ts";
import { surveyProject } from "./survey.ts";
import type { Entry, Survey } from "./survey.ts";

/** Publishes the tools of the project. Writes nothing if one of them has changes on the server that would be lost. */
export async function push(session: Session, flags: PushFlags, ...typed: string[]) {
  const { terminal } = session;
  const project = await session.requireProject();
  const folders = typed.map((word) => toFolder(project, session.cwd, word));
  const { client, address } = await session.connect();
  await checkRepository(project);
  const journal = await openJournal(session.env, project.root, address);
  return withProjectLock(project.root, async () => {
    if (flags.dryRun !== true) {
      const repository = await openRepository(project);
      await finishCreations({ project, client, journal, repository }, folders, terminal);
    }
    const survey = await surveyProject(project, client, folders);
    const steps = planPush(survey, flags);
    const refused = survey.entries.filter(({ folder }) =>
      steps.some((step) => step.entry.folder === folder && step.kind === "refuse"),
    );
    if (refused.length > 0) throw conflictError(session, refused);
    if (flags.dryRun === true) return showPlan(session, survey, steps);
    const results: PushResult[] = [];
    try {
      for (const step of steps) {
        const result = await applyStep(survey, step, {
          session,
          journal,
          isNew: flags.new === true,
        });
        if (result !== undefined) results.push(result);
      }
    } catch (error) {
      // What was published stays published.
      for (const line of describeResults(results)) terminal.note(line);
      throw error;
    }
    const blocked = steps.filter(({ kind }) => kind === "block");
    if (blocked.length > 0) throw blockedError(session, blocked, results);
    return showResults(session, results, survey);
  });
}

/** Several tools claim a folder, which the user has to decide. The others were pushed. */
function blockedError(
  { terminal }: Session,
  blocked: readonly PushStep[],
  results: readonly PushResult[],
): CliError {
  for (const line of describeResults(results)) terminal.note(line);
  const folders = blocked.map(({ entry }) => entry.folder);
  return new CliError(
    `Several tools were published from the same folder, which was not pushed: ${folders.join(", ")}`,
    {
      code: "conflict",
      exitCode: exitCodes.conflict,
      next: folders.slice(0, 1).map((folder) => `toolhost link ${folder} NAME`),
      extra: { conflicts: folders.map((folder) => ({ folder })), results },
    },
  );
}

function conflictError({ terminal }: Session, refused: readonly Entry[]): CliError {
  for (const { folder, remote, local } of refused) {
    const pair = { folder, before: remote?.definition, after: local?.definition };
    for (const line of showDifference(pair)) terminal.note(line);
  }
  const list = refused.map(({ folder, state, remote, link, note }) => {
    const details = [
      state.replace("conflict: ", ""),
      ...(remote === undefined || note?.startsWith(`version ${remote.version} `) === true
        ? []
        : [`server: version ${remote.version}`]),
      ...(link === undefined || link.version === 0 ? [] : [`here: version ${link.version}`]),
      ...(note === undefined ? [] : [note]),
    ];
    return `  ${folder}: ${details.join(", ")}`;
  });
  const [first] = refused;
  const name = first?.folder ?? "";
  const isUnlinked = first?.state === "conflict: not linked";
  return new CliError(`Nothing was pushed, because changes would be lost:\n${list.join("\n")}`, {
    code: "conflict",
    exitCode: exitCodes.conflict,
    next: isUnlinked
      ? [
          `toolhost link ${name} ${first?.remote?.name ?? ""}   (it is the same tool)`,
          `toolhost push ${name} --new   (it is another tool)`,
        ]
      : [
          `toolhost diff ${name}`,
          `toolhost pull ${name} --force   (discard your changes)`,
          `toolhost push ${name} --force   (publish over the server's changes)`,
        ],
    extra: {
      conflicts: refused.map(({ folder, state, remote, link }) => ({
        folder,
        state,
        name: remote?.name ?? link?.name,
        serverVersion: remote?.version,
        baseVersion: link?.version,
      })),
    },
  });
}

const verbs: Readonly<Record<PushStep["kind"], string>> = {
  create: "create",
  update: "update",
  archive: "archive",
  relink: "link",
  skip: "skip",
  block: "leave",
  refuse: "refuse",
};

function showPlan({ terminal }: Session, { entries }: Survey, steps: readonly PushStep[]) {
  const planned = steps.filter(({ kind }) => kind !== "skip");
  terminal.result(
    {
      dryRun: true,
      steps: steps.map(({ kind, entry, note }) => ({
        action: kind,
        folder: entry.folder,
        name: entry.remote?.name ?? entry.link?.name,
        state: entry.state,
        note,
      })),
    },
    () => {
      if (planned.length === 0 && steps.length === 0)
        return `Nothing to push. Unchanged tools: ${entries.length}.`;
      return steps.flatMap(({ kind, entry, note }) => [
        `${styled("bold", verbs[kind])} ${entry.folder}${note === undefined ? "" : `: ${note}`}`,
        ...(kind === "create" || kind === "update"
          ? showDifference({
              folder: entry.folder,
              before: entry.remote?.definition,
              after: entry.local?.definition,
            })
          : []),
      ]);
    },
  );
  return exitCodes.ok;
}

function showResults({ terminal }: Session, results: readonly PushResult[], { entries }: Survey) {
  terminal.result({ dryRun: false, results }, () => {
    if (results.length === 0) return `Nothing to push. Unchanged tools: ${entries.length}.`;
    return describeResults(results);
  });
  return exitCodes.ok;
}

function describeResults(results: readonly PushResult[]): string[] {
  return results.flatMap(({ action, folder, name, version, note, approvals }) => [
    `${styled("green", action)} ${folder}: ${name}${version === undefined ? "" : `, version ${version}`}${note === undefined ? "" : ` (${note})`}`,
    ...approvals.map(
      ({ credential, connectUrl }) =>
        `  ${styled("yellow", "needs approval")} of ${plainLine(credential)}: ${plainLine(connectUrl)}`,
    ),
  ]);
}
