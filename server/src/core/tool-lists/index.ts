export { changePreferences, getPreferences } from "./preferences.ts";
export { listTags, setTags } from "./tags.ts";
export { getToolSummaries } from "./tool-summaries.ts";
