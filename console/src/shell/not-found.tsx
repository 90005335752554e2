import type { ReactNode } from "react";
import { NotFoundWithLink } from "#components/not-found-page";
import { messages } from "./messages.ts";

/** Shown for an unknown address. */
export function NotFound(): ReactNode {
  return <NotFoundWithLink text={messages.notFound} to="/" />;
}
