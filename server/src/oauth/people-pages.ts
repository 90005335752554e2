import { Hono } from "hono";
import type { Context as HonoContext } from "hono";
import type { Context } from "#core/context";
import type { Door } from "#rest";
import {
  showForgot,
  showReset,
  showVerify,
  takeForgot,
  takeReset,
  takeVerify,
} from "./account-mails.ts";
import type { PageRequest } from "./ask-sign-in.ts";
import { orProblemPage } from "./consent.ts";
import { showInvitation, takeInvitation } from "./invitation.ts";
import {
  showSecondFactor,
  showSignIn,
  signIn,
  signInPath,
  signInWith,
  takeSecondFactor,
} from "./sign-in.ts";
import { showSignUp, signUp, signUpPath } from "./sign-up.ts";

type Take = (context: Context, asked: PageRequest) => Promise<Response>;

function asked(c: HonoContext<Door>): PageRequest {
  return { request: c.req.raw, origin: c.get("origin") };
}

/** The pages on which people sign in and up, choose passwords, prove addresses and take invitations. */
export function createPeoplePages(context: Context): Hono<Door> {
  const door = new Hono<Door>();
  const show = (path: string, page: (url: URL) => Promise<Response>) =>
    door.get(path, (c) => {
      c.set("route", path);
      return orProblemPage(() => page(new URL(c.req.url)));
    });
  const take = (path: string, answer: Take) =>
    door.post(path, (c) => {
      c.set("route", path);
      return orProblemPage(() => answer(context, asked(c)));
    });
  show(signInPath, (url) => showSignIn(context, url));
  take(signInPath, signIn);
  door.get("/sign-in/with", (c) => orProblemPage(() => signInWith(context, asked(c))));
  show("/sign-in/code", (url) => showSecondFactor(context, url));
  take("/sign-in/code", takeSecondFactor);
  show(signUpPath, (url) => showSignUp(context, url));
  take(signUpPath, signUp);
  show("/forgot-password", () => showForgot(context));
  take("/forgot-password", takeForgot);
  show("/reset-password", showReset);
  take("/reset-password", takeReset);
  show("/verify-email", showVerify);
  take("/verify-email", takeVerify);
  door.get("/invitations/:token", (c) =>
    orProblemPage(() => showInvitation(context, asked(c), c.req.param("token"))),
  );
  door.post("/invitations/:token", (c) =>
    orProblemPage(() => takeInvitation(context, asked(c), c.req.param("token"))),
  );
  return door;
}
