type DismissalReason = 'warning' | 'refresh_requested' | 'too_many_websockets';

/** As in https://docs.slack.dev/apis/events-api/using-socket-mode#disconnect */
export function dismissal(reason: DismissalReason): string {
  return JSON.stringify({ type: 'disconnect', reason, debug_info: debugInfo() });
}

/** As in https://docs.slack.dev/apis/events-api/using-socket-mode#connect */
const STARTED = new Date().toISOString().replace('T', ' ').slice(0, 23);

export function hello(appId: string, connections: number): string {
  return JSON.stringify({
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: appId },
    debug_info: { ...debugInfo(), started: STARTED, build_number: 1, approximate_connection_time: 18_060 },
  });
}

function debugInfo() {
  return { host: 'applink-sandbox' };
}
