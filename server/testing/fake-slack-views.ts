import { checkView } from "./fake-slack-blocks.ts";
import type { Problem } from "./fake-slack-blocks.ts";
import { slackId } from "./fake-slack-team.ts";
import type { FakeTeam, FakeViewState } from "./fake-slack-team.ts";

type Args = Readonly<Record<string, unknown>>;
type Answer = Record<string, unknown> | string | Problem;

const triggerMs = 3_000;

/** The methods for forms and for the Home of the app. */
export const viewMethods: Readonly<Record<string, (team: FakeTeam, args: Args) => Answer>> = {
  "views.open": (team, args) => {
    const trigger = textOf(args, "trigger_id");
    const issuedAt = team.triggers.get(trigger);
    if (issuedAt === undefined) return { error: "invalid_trigger_id", why: trigger };
    if (team.views.some((view) => view.trigger === trigger)) return "exchanged_trigger_id";
    if (Date.now() - issuedAt > triggerMs) return "expired_trigger_id";
    const given = viewOf(args);
    const problem = checkView(given);
    if (problem !== undefined) return problem;
    const view = { ...given, id: slackId("V"), hash: newHash() };
    team.views.push({ trigger, view, updates: 0 });
    return { view };
  },
  "views.update": (team, args) => {
    const id = textOf(args, "view_id");
    const found = team.views.find(({ view }) => view.id === id);
    if (found === undefined) return "not_found";
    if (isStale(found.view, args)) return "hash_conflict";
    const given = viewOf(args);
    const problem = checkView(given);
    if (problem !== undefined) return problem;
    found.view = { ...given, id, hash: newHash() };
    found.updates += 1;
    return { view: found.view };
  },
  "views.publish": (team, args) => {
    const user = textOf(args, "user_id");
    if (!team.users.has(user)) return { error: "invalid_arguments", why: `user_id ${user}` };
    const shown = team.homes.get(user);
    if (shown !== undefined && isStale(shown, args)) return "hash_conflict";
    const given = viewOf(args);
    const problem = checkView(given, "home");
    if (problem !== undefined) return problem;
    const view = { ...given, id: shown?.id ?? slackId("V"), hash: newHash() };
    team.homes.set(user, view);
    return { view };
  },
};

/** Whether the call is about an earlier state of the view. */
function isStale({ hash }: FakeViewState, args: Args): boolean {
  const given = textOf(args, "hash");
  return given !== "" && given !== hash;
}

function newHash(): string {
  return `${Math.floor(Date.now() / 1_000)}.${slackId("")}`;
}

function viewOf(args: Args): Record<string, unknown> {
  const { view } = args;
  return (typeof view === "string" ? JSON.parse(view) : view) as Record<string, unknown>;
}

function textOf(args: Args, key: string): string {
  const value = args[key];
  return typeof value === "string" ? value : "";
}
