import type { Context as HonoContext, Hono } from "hono";
import { ServiceError } from "#core/kernel";
import type { Context } from "#core/context";
import { parseJson } from "#lib/parse-json";
import { readBytes } from "#rest";
import type { AppEnv } from "#rest";
import { createAppPackage, createSetup } from "./app-package.ts";
import { handleActivity } from "./handle-activity.ts";
import { handleInvoke } from "./handle-invoke.ts";
import { activity } from "./teams-activity.ts";
import type { Activity } from "./teams-activity.ts";
import { botUserIdOf, isServiceUrl, readTeamsSettings } from "./teams-settings.ts";
import type { TeamsSettings } from "./teams-settings.ts";
import { createTokenVerifier } from "./verify-token.ts";
import type { TokenVerifier } from "./verify-token.ts";

/** A message has at most 100 KB, and its attachments repeat it. */
const maxBodyBytes = 512 * 1024;

/** The endpoint of the bot, and what the operator enters and uploads at Microsoft. */
export function mountTeams(app: Hono<AppEnv>, context: Context): void {
  const settings = readTeamsSettings(context.config);
  const verifier = settings && createTokenVerifier(settings);
  app.get("/teams/manifest", (c) => {
    c.set("route", "/bot/teams/manifest");
    return c.json(createSetup(context.config.baseUrl, settings?.appId));
  });
  app.get("/teams/app.zip", (c) => {
    c.set("route", "/bot/teams/app.zip");
    const { appId, baseUrl } = settings ?? notConfigured();
    const headers = { "content-disposition": 'attachment; filename="toolhost-teams.zip"' };
    const body = createAppPackage(baseUrl, appId);
    return c.body(body, 200, { ...headers, "content-type": "application/zip" });
  });
  app.post("/teams/messages", async (c) => {
    c.set("route", "/bot/teams/messages");
    if (settings === undefined || verifier === undefined) return notConfigured();
    const given = await readActivity(c, settings, verifier);
    if (given.type === "invoke") return c.json(await handleInvoke(context, given));
    await handleActivity(context, botUserIdOf(settings), given);
    return c.body(null, 202);
  });
}

function notConfigured(): never {
  throw new ServiceError(
    "not_found",
    "This server isn't configured for Microsoft Teams. Ask its operator to set it up.",
  );
}

/** The activity of a request that Teams signed. Throws `unauthenticated`, `forbidden` and `invalid_request`. */
async function readActivity(
  c: HonoContext<AppEnv>,
  settings: TeamsSettings,
  verifier: TokenVerifier,
): Promise<Activity> {
  const boundTo = await verifier.verifyRequest(c.req.header("authorization"));
  const body = Buffer.from(await readBytes(c.req.raw, maxBodyBytes)).toString();
  const parsed = activity.safeParse(parseJson(body));
  if (!parsed.success) throw new ServiceError("invalid_request", "Invalid Teams activity.");
  const { serviceUrl } = parsed.data;
  const isBound = boundTo === undefined || withoutSlash(boundTo) === withoutSlash(serviceUrl);
  if (isBound && isServiceUrl(settings, serviceUrl)) return parsed.data;
  throw new ServiceError("forbidden", "The activity names another service URL than Teams uses.");
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
