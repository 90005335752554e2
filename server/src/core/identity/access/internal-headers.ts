/** Passes the client's IP address to the sign-in library. The header is removed from client requests. */
export const clientAddressHeader = "x-toolhost-client";
/** Passes the request ID to the sign-in library. */
export const requestIdHeader = "x-toolhost-request";
