import { createZip } from "#lib/zip";

/** What the operator enters at Microsoft. */
export function createSetup(baseUrl: string, appId: string | undefined): object {
  return {
    messaging_endpoint: `${baseUrl}/bot/teams/messages`,
    redirect_uri: `${baseUrl}/bot/teams/callback`,
    group_claims: "DirectoryRole",
    app_package: appId === undefined ? null : `${baseUrl}/bot/teams/app.zip`,
  };
}

/** The app that an admin uploads to Teams. */
export function createAppPackage(baseUrl: string, appId: string): Uint8Array<ArrayBuffer> {
  return createZip({
    "manifest.json": Buffer.from(JSON.stringify(createManifest(baseUrl, appId), null, 2)),
    "color.png": Buffer.from(colorIcon, "base64"),
    "outline.png": Buffer.from(outlineIcon, "base64"),
  });
}

function createManifest(baseUrl: string, appId: string): object {
  const schema =
    "https://developer.microsoft.com/json-schemas/teams/v1.17/MicrosoftTeams.schema.json";
  return {
    $schema: schema,
    manifestVersion: "1.17",
    version: "1.0.0",
    id: appId,
    developer: {
      name: "Toolhost",
      websiteUrl: baseUrl,
      privacyUrl: baseUrl,
      termsOfUseUrl: baseUrl,
    },
    name: { short: "Toolhost", full: "Toolhost" },
    description: {
      short: "Runs your team's tools.",
      full: "Mention Toolhost, or write to it directly, to find and run the tools of your workspace.",
    },
    icons: { color: "color.png", outline: "outline.png" },
    accentColor: "#2450B8",
    bots: [{ botId: appId, scopes: ["personal", "team", "groupChat"], supportsFiles: true }],
    permissions: ["identity", "messageTeamMembers"],
    validDomains: [new URL(baseUrl).hostname],
  };
}

/** PNGs of the console's icon: of 192 pixels in color, and of 32 pixels in white on a transparent ground. */
const colorIcon =
  "iVBORw0KGgoAAAANSUhEUgAAAMAAAADAAQMAAABoEv5EAAAABlBMVEUkULj////ZMXFDAAAAOUlEQVR42u3SsQkAIAwAwWzgSO6/jQMIEcTCwlIQ4a799iMAflJz0wXhTphKZjteJwiCIAjCowCwDP9jJZ3HRzk7AAAAAElFTkSuQmCC";
const outlineIcon =
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAQMAAABJtOi3AAAABlBMVEUAAAD///+l2Z/dAAAAAnRSTlMA/1uRIrUAAAAZSURBVHjaY2AgEjD+/9+ATjAwH2CgjCAIAN/kE+Qa0zEzAAAAAElFTkSuQmCC";
