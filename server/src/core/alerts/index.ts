export {
  changeAlert,
  createAlert,
  deleteAlert,
  getAlert,
  listAlertEvents,
  listAlerts,
  testAlert,
} from "./alerts.ts";
export { checkAlerts } from "./check-alerts.ts";
export type { AlertsContext } from "./context.ts";
export { deleteOldNotifications, deliverNotifications } from "./deliver-notifications.ts";
