import { App, type Receiver, type ReceiverEvent } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';

/** Feeds an app as the tests of Bolt do: https://github.com/slackapi/bolt-js/blob/main/test/unit/helpers/receivers.ts */
export class FakeReceiver implements Receiver {
  #app: App | null = null;

  init(app: App): void {
    this.#app = app;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async sendEvent(event: ReceiverEvent): Promise<void> {
    await this.#app?.processEvent(event);
  }
}

/** An app without listeners, set up like ours. */
export function bareApp(receiver: Receiver, clientOptions: WebClientOptions = {}): App {
  const app = new App({
    receiver,
    authorize: async () => ({ botToken: 'xoxb-1', teamId: 'T1' }),
    ...{ clientOptions, convoStore: false, ignoreSelf: false, extendedErrorHandler: true },
  });
  app.error(async (fault: { error: Error }) => {
    throw fault.error;
  });
  return app;
}
