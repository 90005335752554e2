import type { JsonObject } from "@toolhost/contract";
import { buildWidgetPage, widgetUri } from "@toolhost/ui/widget-page";
import type { Context } from "#core/context";

const description =
  "Shows a tool's form, the progress of its run and its result, and lets the user run it again.";

/** The entry in `resources/list` of the widget that hosts show for each run. */
export const toolRunner: JsonObject = {
  uri: widgetUri,
  name: "tool-runner",
  title: "Tool runner",
  description,
  mimeType: "text/html;profile=mcp-app",
};

/**
 * The widget's page and its permissions: it may connect only to this server, to upload large files. It requests no domain,
 * because each host has its own rules for widget domains.
 */
export async function readToolRunner({ config }: Context): Promise<JsonObject> {
  const { origin } = new URL(config.baseUrl);
  return {
    uri: widgetUri,
    mimeType: "text/html;profile=mcp-app",
    text: await buildWidgetPage(origin),
    _meta: {
      ui: { csp: { connectDomains: [origin], resourceDomains: [] }, prefersBorder: true },
      "openai/widgetCSP": { connect_domains: [origin], resource_domains: [] },
      "openai/widgetPrefersBorder": true,
      "openai/widgetDescription": description,
    },
  };
}

/** The tools that the widget calls, besides `service_execute_tool`. */
const calledByWidget = new Set(["service_get_skill", "service_upload", "service_check_run"]);

/** Links a tool to the widget, under the keys that current and older hosts read. */
export function widgetMetaOf(toolName: string): { _meta?: JsonObject } {
  if (toolName === "service_execute_tool") {
    return {
      _meta: {
        ui: { resourceUri: widgetUri, visibility: ["model", "app"] },
        "ui/resourceUri": widgetUri,
        "openai/outputTemplate": widgetUri,
        "openai/widgetAccessible": true,
      },
    };
  }
  return calledByWidget.has(toolName)
    ? { _meta: { ui: { visibility: ["model", "app"] }, "openai/widgetAccessible": true } }
    : {};
}
