import type { Logger } from 'pino';
import { slackLogger } from '../api/logger.ts';
import type { SharedContext } from '../interaction/listener-context.ts';
import { createDispatch } from './dispatch.ts';
import type { SlackRequest, SlackResponse } from './http-receiver.ts';
import { HttpReceiver } from './http-receiver.ts';
import type { ObserveRequest } from './observe-requests.ts';
import { createRequestHandler } from './request-handler.ts';
import type { EndReason } from './socket-connection.ts';
import { SocketReceiver } from './socket-receiver.ts';
import type { SocketTrouble } from './socket-supervisor.ts';

type SlackMode = { kind: 'http'; signingSecret: string } | { kind: 'socket'; appToken: string };

/** Receives requests from Slack, with the same listeners in both modes. */
export interface SlackAdapter {
  /** Answers `POST /slack/events`; null in Socket Mode. */
  handle: ((request: SlackRequest) => Promise<SlackResponse>) | null;
  /** In Socket Mode, resolves with the first connection. */
  start(): Promise<void>;
  /** Finishes the requests in progress; in Socket Mode, takes no new ones. */
  stop(): Promise<void>;
  isConnected(): boolean;
  /** Why Slack dismisses the Socket Mode connections, while there is none. */
  trouble(): SocketTrouble | null;
}

interface SlackSettings {
  apiUrl: string;
  mode: SlackMode;
  /** Called for each request, for metrics. */
  observe?: ObserveRequest;
  /** Called for each listener that fails by our fault, for metrics. */
  onFault?: () => void;
  /** Called for each Socket Mode connection that ended by itself, for metrics. */
  onSocketEnd?: (reason: EndReason) => void;
}

export function createSlackAdapter(settings: SlackSettings, context: SharedContext, log: Logger): SlackAdapter {
  const { apiUrl, mode, observe = () => () => {}, onFault = () => {}, onSocketEnd = () => {} } = settings;
  const handle = createRequestHandler(createDispatch(context), { log, onFault });
  switch (mode.kind) {
    case 'http': {
      const receiver = new HttpReceiver({ signingSecret: mode.signingSecret, handle, log, observe });
      return {
        handle: (request) => receiver.receive(request),
        start: async () => {},
        stop: () => receiver.stop(),
        isConnected: () => true,
        trouble: () => null,
      };
    }
    case 'socket': {
      const { appToken } = mode;
      const receiver = new SocketReceiver({
        ...{ appToken, apiUrl, logger: slackLogger(log), log, handle, observe },
        onEnd: onSocketEnd,
      });
      return {
        handle: null,
        start: () => receiver.start(),
        stop: () => receiver.stop(),
        isConnected: () => receiver.isConnected(),
        trouble: () => receiver.trouble(),
      };
    }
  }
}
