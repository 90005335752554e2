import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import type { JWTPayload } from "jose";
import { z } from "zod";
import { ServiceError } from "#core/kernel";
import type { TeamsSettings } from "./teams-settings.ts";

const timeoutMs = 8_000;
const maxAgeMs = 86_400_000;
/** Microsoft allows clocks to differ by this much. */
const toleranceSeconds = 300;

type Keys = { issuer: string; find: ReturnType<typeof createRemoteJWKSet> };

/** Verifies tokens that Microsoft issued for the app. Throws `unauthenticated`, and `unavailable` without its keys. */
export type TokenVerifier = {
  /** Of a request to the bot. Returns the service URL that the token is bound to, if any. */
  verifyRequest(authorization: string | undefined): Promise<string | undefined>;
  /** Of a person who signed in. */
  verifyPerson(idToken: string): Promise<JWTPayload>;
};

export function createTokenVerifier(settings: TeamsSettings): TokenVerifier {
  const { appId, tenantId, loginUrl, openIdUrl } = settings;
  const connector = createKeys(new URL(openIdUrl));
  const tenant = createKeys(new URL(`${tenantId}/v2.0/.well-known/openid-configuration`, loginUrl));
  const verify = async (token: string, { find }: Keys, issuer: string[]) => {
    const rules = { algorithms: ["RS256"], requiredClaims: ["exp"] };
    const expected = { issuer, audience: appId, clockTolerance: toleranceSeconds };
    return jwtVerify(token, find, { ...rules, ...expected }).catch(refuse);
  };
  return {
    verifyRequest: async (authorization = "") => {
      const token = /^Bearer ([\w.-]{1,8000})$/i.exec(authorization)?.[1] ?? refuse();
      const { iss } = readClaims(token);
      const keys = await connector();
      if (iss === keys.issuer) {
        const { payload, protectedHeader } = await verify(token, keys, [keys.issuer]);
        // A key signs for certain channels, so that no other channel can name users of Teams.
        const key = keys.find.jwks()?.keys.find(({ kid }) => kid === protectedHeader.kid);
        const endorsements: unknown =
          key === undefined ? undefined : Reflect.get(key, "endorsements");
        if (!Array.isArray(endorsements) || !endorsements.includes("msteams")) return refuse();
        return z.string().safeParse(payload["serviceurl"]).data ?? refuse();
      }
      const issuers = [`${loginUrl}${tenantId}/v2.0`, `https://sts.windows.net/${tenantId}/`];
      if (iss === undefined || !issuers.includes(iss)) return refuse();
      const { payload } = await verify(token, await tenant(), issuers);
      // Any app of the tenant gets a token for this audience, so only the app's own is accepted.
      if ((payload["azp"] ?? payload["appid"]) !== appId) return refuse();
      return undefined;
    },
    verifyPerson: async (idToken) => {
      const keys = await tenant();
      return (await verify(idToken, keys, [keys.issuer])).payload;
    },
  };
}

function readClaims(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return refuse();
  }
}

function refuse(): never {
  throw new ServiceError("unauthenticated", "The request has no valid token of Microsoft Teams.");
}

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** The signing keys that OpenID metadata names, read again every day, and for an unknown key at most every 30 seconds. */
function createKeys(url: URL): () => Promise<Keys> {
  let known: { keys: Promise<Keys>; at: number } | undefined;
  const read = async (): Promise<Keys> => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await fetch(url, { redirect: "error", signal });
      const { issuer, jwks_uri: given } = metadata.parse(await answer.json());
      const found = new URL(given);
      if (found.origin !== url.origin) throw new Error("The keys are on another host");
      const options = { timeoutDuration: timeoutMs, cacheMaxAge: maxAgeMs };
      const find = createRemoteJWKSet(found, options);
      await find.reload();
      return { issuer, find };
    } catch (cause) {
      throw new ServiceError("unavailable", "The keys of Microsoft Teams can't be read.", {
        cause,
      });
    }
  };
  return () => {
    if (known !== undefined && Date.now() - known.at < maxAgeMs) return known.keys;
    const reading = { keys: read(), at: Date.now() };
    known = reading;
    reading.keys.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading.keys;
  };
}
