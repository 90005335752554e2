import { APIError, createAuthMiddleware } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import type { BetterAuthPlugin } from "better-auth";
import { z } from "zod";

const localEmail = /^[^@\s]{1,64}@localhost$/i;
const credentials = z.object({
  email: z.string().regex(localEmail),
  password: z.string(),
  rememberMe: z.boolean().optional(),
});

/**
 * Signs in people whose address is `@localhost`, such as the owner that a first start makes. The
 * library refuses hosts of one label before it looks, so this answers in its place, the same way.
 */
export function localSignIn(): BetterAuthPlugin {
  return {
    id: "local-sign-in",
    hooks: {
      before: [
        {
          matcher: (request) =>
            request.path === "/sign-in/email" && credentials.safeParse(request.body).success,
          handler: createAuthMiddleware(async (request) => {
            const { email, password, rememberMe } = credentials.parse(request.body);
            const { internalAdapter, password: passwords } = request.context;
            const found = await internalAdapter.findUserByEmail(email.toLowerCase(), {
              includeAccounts: true,
            });
            const account = found?.accounts.find(({ providerId }) => providerId === "credential");
            if (found == null || account?.password == null) {
              // As long as for a wrong password, so that timing tells nothing.
              await passwords.hash(password);
              throw invalidCredentials();
            }
            if (!(await passwords.verify({ hash: account.password, password }))) {
              throw invalidCredentials();
            }
            const isBrief = rememberMe === false;
            const session = await internalAdapter.createSession(found.user.id, isBrief);
            await setSessionCookie(request, { session, user: found.user }, isBrief);
            return request.json({ redirect: false, token: session.token, user: found.user });
          }),
        },
      ],
    },
  };
}

function invalidCredentials(): APIError {
  return new APIError("UNAUTHORIZED", {
    code: "INVALID_EMAIL_OR_PASSWORD",
    message: "Invalid email or password",
  });
}
