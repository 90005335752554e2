import { starterTemplates } from "@toolhost/starter-tools/templates";
import { templateNames } from "../commands/value-names.ts";
import { usageError } from "../terminal/cli-error.ts";

const httpCode = `/** Calls an API that needs no credential. The tool can reach only the hosts in allowedHosts of tool.json. */
export default async (input: Input, ctx: Context): Promise<Output> => {
  const address = new URL("https://api.open-meteo.com/v1/forecast");
  address.searchParams.set("latitude", String(input.latitude));
  address.searchParams.set("longitude", String(input.longitude));
  address.searchParams.set("current", "temperature_2m,wind_speed_10m");
  // Ends the request when the run is cancelled.
  const response = await fetch(address, { signal: ctx.signal });
  // The message of a thrown error is the result of the run, so it should say what to do.
  if (!response.ok) throw new Error(\`Open-Meteo responded with status \${response.status}: \${await response.text()}\`);
  const { current } = (await response.json()) as {
    current: { temperature_2m: number; wind_speed_10m: number };
  };
  return { celsius: current.temperature_2m, windKmh: current.wind_speed_10m };
};
`;

/** Needs no credential, so that it runs at once. */
const http: Record<string, unknown> = {
  title: "Current weather",
  description: "Returns the current temperature and wind at a place.",
  inputSchema: {
    type: "object",
    properties: {
      latitude: { type: "number", minimum: -90, maximum: 90, description: "In degrees north." },
      longitude: { type: "number", minimum: -180, maximum: 180, description: "In degrees east." },
    },
    required: ["latitude", "longitude"],
    additionalProperties: false,
  },
  outputSchema: {
    properties: [
      { name: "celsius", type: "number", description: "The temperature in degrees Celsius." },
      { name: "windKmh", type: "number", description: "The wind speed in kilometers per hour." },
    ],
  },
  source: { language: "typescript", code: httpCode },
  // The weather changes, so the example has no output.
  examples: [{ input: { latitude: 59.91, longitude: 10.75 } }],
  allowedHosts: ["api.open-meteo.com"],
  timeoutMs: 30_000,
  idempotent: true,
};

const starter = (id: string): Record<string, unknown> =>
  starterTemplates.find((template) => template.id === id)?.draft ?? {};

/** The templates by the names that `--template` accepts. */
const templates: Readonly<Record<(typeof templateNames)[number], Record<string, unknown>>> = {
  blank: starter("blank"),
  http,
  credential: {
    ...starter("api-with-credential"),
    examples: [{ input: { owner: "nodejs", repository: "node" } }],
  },
  file: starter("file-in-file-out"),
};

/** The definition of a template. Throws for an unknown name. */
export function findTemplate(name: string): Record<string, unknown> {
  const known = templateNames.find((one) => one === name);
  if (known !== undefined) return templates[known];
  throw usageError(`There is no template "${name}". Use one of: ${templateNames.join(", ")}.`);
}
