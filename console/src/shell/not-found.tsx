import type { ReactNode } from "react";
import { LinkButton } from "#components/button";
import { NotFoundPage } from "#components/not-found-page";
import { messages } from "./messages.ts";

/** Shown for an unknown address. */
export function NotFound(): ReactNode {
  return (
    <NotFoundPage
      page={messages.notFound.page}
      title={messages.notFound.title}
      action={
        <LinkButton to="/" look="primary">
          {messages.notFound.action}
        </LinkButton>
      }
    >
      {messages.notFound.body}
    </NotFoundPage>
  );
}
