export { answerAuth } from "./answer-auth.ts";
