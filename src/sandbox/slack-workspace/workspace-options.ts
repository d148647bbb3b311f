import type { PageControl } from './page-controls.ts';
import type { AppSettings } from './runtime/installed-app.ts';
import type { Features } from './runtime/workspace.ts';
import type { Seed } from './state/seed.ts';
import type { Workflow } from './workflow.ts';

export type WorkspaceOptions = {
  /** Default 0: any free port. */
  port?: number;
  /** Default 127.0.0.1. The page has no login, so be careful with any other address. */
  host?: string;
  /** The base of permalinks and response URLs, without a trailing slash. Default: host and port. */
  origin?: string;
  /** Overrides of `DEFAULT_APP`: delivery, scopes, commands, shortcuts, events… */
  app?: Partial<AppSettings>;
  /** The initial content, if no state was saved. */
  seed?: Seed;
  /** Workflows that people can start on the page, in place of those that were saved with their names. */
  workflows?: readonly Workflow[];
  stateFile?: string;
  /** The built web page. */
  pageDir?: string;
  /** Buttons above every page. */
  controls?: readonly PageControl[];
  /** The blocks that it refuses, since Slack hasn't given them to every workspace. Default: none. */
  missingBlocks?: Features['missingBlocks'];
  /** Slack's real rate limits, the default, or none. */
  rateLimits?: 'real' | 'off';
  /** Serves `/_sandbox/…` to other processes. */
  admin?: boolean;
  /**
   * The time in which people driven by tests wait for something to appear, unless a call says otherwise.
   * Default: `SLACK_WORKSPACE_WAIT_MS`, else 4,000 ms.
   */
  waitMs?: number;
  /** The clock, in milliseconds since the epoch. */
  now?: () => number;
  /** The time in which the app has to acknowledge. Default: Slack's 3,000 ms, and 5,000 for a step of a workflow. With more, triggers live as long. */
  ackLimitMs?: number;
  /** After how long each an event is delivered again that the app didn't acknowledge. Default: Slack's 0, 60,000 and 300,000 ms. */
  eventRetriesMs?: readonly number[];
  /** The time for which a Socket Mode connection goes on after it was dismissed. Default: Slack's 10,000 ms. */
  dismissalMs?: number;
};
