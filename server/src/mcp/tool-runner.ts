import type { JsonObject } from "@toolhost/contract";
import { buildWidgetPage, widgetUri } from "@toolhost/ui/widget-page";
import type { Context } from "#core/context";

const description =
  "Shows a tool's form, the progress of its run and its result, and lets the user run it again.";

/** The widget that hosts show for each run, as `resources/list` has it. */
export const toolRunner: JsonObject = {
  uri: widgetUri,
  name: "tool-runner",
  title: "Tool runner",
  description,
  mimeType: "text/html;profile=mcp-app",
};

/**
 * The widget's page, and what a host is to let it do: to send large files to this server, and nothing else. It names no
 * domain of its own, as each host has other rules for that.
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

/** Tools that the widget calls besides the one that it belongs to. */
const calledByWidget = new Set(["service_get_skill", "service_upload", "service_check_run"]);

/** What hosts are told of a tool and the widget: the address under the names that hosts of every age look for. */
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
