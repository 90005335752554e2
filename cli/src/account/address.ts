import { CliError, usageError } from "../terminal/cli-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";

/** Where an address comes from. A file of a project may come from others, so it is trusted less. */
type AddressSource = "--url" | "TOOLHOST_URL" | "toolhost.json" | "login" | "default";

/** The address of a service: an origin, with a path if it is served below one. */
export type Address = { url: string; source: AddressSource };

const defaultUrl = "http://localhost:3000";

type Candidates = {
  flag: string | undefined;
  environment: string | undefined;
  project: string | undefined;
  login: string | undefined;
};

/** The address to use: the most explicit one. */
export function chooseAddress(candidates: Candidates, isInsecure: boolean): Address {
  const { flag, environment, project, login } = candidates;
  const [text, source] = (
    [
      [flag, "--url"],
      [environment, "TOOLHOST_URL"],
      [project, "toolhost.json"],
      [login, "login"],
    ] as const
  ).find(([given]) => given !== undefined && given !== "") ?? [defaultUrl, "default"];
  return { url: normalizeUrl(text ?? defaultUrl, source, isInsecure), source };
}

/** Throws for an address that is invalid, or that would send a key in plain text over a network. */
function normalizeUrl(text: string, source: string, isInsecure: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === undefined || !isWeb || url.username !== "" || url.password !== "") {
    throw usageError(`${source}: "${text}" is not an address such as https://tools.example.com.`);
  }
  if (url.protocol === "http:" && !isLoopback(url) && !isInsecure) {
    throw new CliError(
      `${url.origin} does not use https, so others on the network could read your key.`,
      {
        code: "insecure_address",
        exitCode: exitCodes.usage,
        next: ["add --insecure to accept this"],
      },
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Whether requests to a URL stay on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
