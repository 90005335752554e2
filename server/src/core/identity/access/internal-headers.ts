/** The header with the client's address for the sign-in library. A header of this name from the client is removed. */
export const clientAddressHeader = "x-toolhost-client";
/** The header with the request ID. */
export const requestIdHeader = "x-toolhost-request";
