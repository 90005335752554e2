import { errorCodes } from "@toolhost/contract";
import { ServiceError } from "#core/kernel";
import { toProblemPage } from "./page.ts";

const pageStatuses = [403, 404, 409, 422, 429] as const;

/** Shows a `ServiceError` as a page. An outage is left to the application, which responds with 503. */
export async function orProblemPage(respond: () => Promise<Response>): Promise<Response> {
  try {
    return await respond();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === "unavailable") throw error;
    return toProblemPage(pageStatus(error), error.message);
  }
}

/** The status of the page that shows an error. */
export function pageStatus({ code }: ServiceError): (typeof pageStatuses)[number] | 400 {
  const { status } = errorCodes[code];
  return pageStatuses.find((shown) => shown === status) ?? 400;
}
