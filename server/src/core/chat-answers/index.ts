export { createResponder } from "./create-responder.ts";
