import { setMaxListeners } from 'node:events';
import { createHttpTransport, requestUrlOf, requestUrlsOf } from './delivery/http-transport.ts';
import { createSocketTransport, type SocketTransport } from './delivery/socket-transport.ts';
import { ACK_LIMIT_MS, type Outgoing } from './delivery/transport.ts';
import { EVENT_RETRIES_MS } from './interactions/events.ts';
import { buildWorkflow } from './interactions/workflows.ts';
import { createPageControls } from './page-controls.ts';
import { createFaults } from './runtime/faults.ts';
import { createFunctionExecutions } from './runtime/function-executions.ts';
import { createResponseUrls, createTickets, createTriggers } from './runtime/grants.ts';
import { type AppSettings, DEFAULT_APP } from './runtime/installed-app.ts';
import { createRateLimits } from './runtime/rate-limits.ts';
import { createStateKeeper, readState } from './runtime/state-file.ts';
import { createThreadStatuses } from './runtime/thread-statuses.ts';
import { createWireLog } from './runtime/wire-log.ts';
import type { Workspace } from './runtime/workspace.ts';
import { DEFAULT_SEED, seededState } from './state/seed.ts';
import type { WorkspaceState } from './state/workspace-state.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** A workspace put together, but not yet listening. */
export type Assembly = {
  workspace: Workspace;
  /** Socket Mode only. */
  sockets: SocketTransport | undefined;
  /** Ends what goes on beside the server, and writes pending changes to the state file. */
  end: () => void;
};

/** A trigger is valid for three seconds. https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses */
const TRIGGER_LIFE_MS = 3000;

export function assembleWorkspace(options: WorkspaceOptions, origin: () => string): Assembly {
  const now = options.now ?? Date.now;
  const app: AppSettings = { ...DEFAULT_APP, ...options.app };
  const savedState = options.stateFile === undefined ? undefined : readState(options.stateFile);
  const state = savedState ? withApp(savedState, app) : seededState(options.seed ?? DEFAULT_SEED, app, now());
  if (state.organisation && !app.isOrgReady)
    throw new Error('An app is installed on an organisation only if its manifest says org_deploy_enabled.');
  const keeper = options.stateFile === undefined ? undefined : createStateKeeper(options.stateFile, state);
  const { ackLimitMs, dismissalMs } = options;
  const sockets =
    app.delivery.mode === 'socket' ? createSocketTransport({ appId: app.appId, ackLimitMs, dismissalMs }) : undefined;
  const { signingSecret } = app;
  const ending = new AbortController();
  const { signal: ended } = ending;
  setMaxListeners(0, ended);
  const changed = changes(state, () => keeper?.changed());
  const workspace: Workspace = {
    state,
    app,
    features: { missingBlocks: options.missingBlocks ?? [], editWindowMs: null, botToken: 'valid' },
    now,
    origin,
    wire: createWireLog(),
    triggers: createTriggers(now, Math.max(TRIGGER_LIFE_MS, ackLimitMs ?? ACK_LIMIT_MS)),
    tickets: createTickets(now),
    responseUrls: createResponseUrls(now),
    faults: createFaults(),
    limits: options.rateLimits === 'off' ? undefined : createRateLimits(now),
    executions: createFunctionExecutions(now, state),
    statuses: createThreadStatuses(now, changed.touch),
    transport: sockets ?? createHttpTransport({ ...requestUrls(app), signingSecret, now, ackLimitMs, ended }),
    pageControls: createPageControls(options.controls ?? [], now),
    eventRetriesMs: options.eventRetriesMs ?? EVENT_RETRIES_MS,
    retrying: new Set(),
    delivered: [],
    ended,
    ...changed,
  };
  for (const workflow of options.workflows ?? []) buildWorkflow(workspace, workflow);
  const end = () => {
    ending.abort();
    keeper?.end();
  };
  return { workspace, sockets, end };
}

/** The app may have another name than when the state was saved. */
function withApp(state: WorkspaceState, { botUserId, handle, name }: AppSettings): WorkspaceState {
  const bot = state.members.find(({ id }) => id === botUserId);
  if (bot) Object.assign(bot, { name: handle, realName: name });
  for (const channel of state.channels) if (channel.kind === 'im') channel.name = name;
  return state;
}

function requestUrls(app: AppSettings) {
  return { requestUrl: (outgoing: Outgoing) => requestUrlOf(app, outgoing), requestUrls: () => requestUrlsOf(app) };
}

function changes(state: WorkspaceState, keep: () => void): Pick<Workspace, 'revision' | 'touch' | 'onChange'> {
  const listeners = new Set<() => void>();
  let revision = state.messages.length;
  return {
    revision: () => revision,
    touch() {
      revision += 1;
      keep();
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
