export { ServiceError } from "./service-error.ts";
