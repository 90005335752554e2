import type { ErrorCode } from "@toolhost/contract";
import { quote } from "#lib/quote";
import { ServiceError } from "./service-error.ts";

type NotFoundCode = Extract<ErrorCode, `${string}not_found`>;

/**
 * The error for something that does not exist or that the caller cannot access. Both read the same, so that it does not
 * reveal which one it is.
 */
export function notFound(
  code: NotFoundCode,
  what: string,
  by: { name: string } | { id: string },
): ServiceError {
  const which = "name" in by ? `named ${quote(by.name)}` : `with ID ${quote(by.id)}`;
  return new ServiceError(code, `No ${what} ${which} exists, or you don't have access to it.`);
}

/** The same for a workspace, which only its members can access. */
export function workspaceNotFound(id: string): ServiceError {
  return new ServiceError(
    "not_found",
    `No workspace with ID ${quote(id)} exists, or you are not a member of it.`,
  );
}
