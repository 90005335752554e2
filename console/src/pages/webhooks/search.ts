import { oneOf, searchParams } from "#lib/search-params";

/** `state` filters the deliveries. */
export const validateDeliveriesSearch = searchParams({
  state: oneOf(["pending", "delivered", "dead"]),
});
