/** The names of the broker tools. Those of hosted tools end in a random suffix. */
export const brokerNames = [
  "service_search_tools",
  "service_execute_tool",
  "service_get_skill",
  "service_manage_credentials",
  "service_upload",
  "service_check_run",
] as const;
