import { Hono } from "hono";
import type { Context as HonoContext } from "hono";
import type { Context } from "#core/context";
import type { AppEnv } from "#rest";
import {
  showForgot,
  showReset,
  showVerify,
  submitForgot,
  submitReset,
  submitVerify,
} from "./account-recovery.ts";
import type { PageRequest } from "./auth-client.ts";
import { showInvitation, submitInvitation } from "./invitation.ts";
import { orProblemPage } from "./problem-page.ts";
import {
  showSecondFactor,
  showSignIn,
  signInPath,
  signInWith,
  submitSecondFactor,
  submitSignIn,
} from "./sign-in.ts";
import { showSignUp, signUpPath, submitSignUp } from "./sign-up.ts";

type Submit = (context: Context, page: PageRequest) => Promise<Response>;

function pageRequestOf(c: HonoContext<AppEnv>): PageRequest {
  return { request: c.req.raw, origin: c.get("origin") };
}

/** The pages for sign-in and sign-up, passwords, email confirmation and invitations. */
export function createAccountPages(context: Context): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const get = (path: string, show: (url: URL) => Promise<Response>) =>
    app.get(path, (c) => {
      c.set("route", path);
      return orProblemPage(() => show(new URL(c.req.url)));
    });
  const post = (path: string, submit: Submit) =>
    app.post(path, (c) => {
      c.set("route", path);
      return orProblemPage(() => submit(context, pageRequestOf(c)));
    });
  get(signInPath, (url) => showSignIn(context, url));
  post(signInPath, submitSignIn);
  app.get("/sign-in/with", (c) => orProblemPage(() => signInWith(context, pageRequestOf(c))));
  get("/sign-in/code", (url) => showSecondFactor(context, url));
  post("/sign-in/code", submitSecondFactor);
  get(signUpPath, (url) => showSignUp(context, url));
  post(signUpPath, submitSignUp);
  get("/forgot-password", () => showForgot(context));
  post("/forgot-password", submitForgot);
  get("/reset-password", showReset);
  post("/reset-password", submitReset);
  get("/verify-email", showVerify);
  post("/verify-email", submitVerify);
  app.get("/invitations/:token", (c) =>
    orProblemPage(() => showInvitation(context, pageRequestOf(c), c.req.param("token"))),
  );
  app.post("/invitations/:token", (c) =>
    orProblemPage(() => submitInvitation(context, pageRequestOf(c), c.req.param("token"))),
  );
  return app;
}
