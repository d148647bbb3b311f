import type { Duty } from '../core/duty.ts';
import type { Lane } from './lanes.ts';

/**
 * Slack takes about a message a second for a channel and an update a second for a workspace, so that more calls at once
 * bring nothing, and cost clicks their time: of 500 clicks within a second the slowest one waited four times as long with
 * 16 of them.
 * https://docs.slack.dev/apis/web-api/rate-limits
 */
const SLACK_CALLS = 4;
/** A crew may take a second to answer, and hundreds of decisions may be on their way to one. */
const CREW_CALLS = 8;
const STORE_CALLS = 8;

/** Whom a duty calls. */
export function laneOf({ kind }: Duty, crew: string): Lane {
  switch (kind) {
    case 'post':
    case 'update':
    case 'notice':
      return { name: 'slack', most: SLACK_CALLS };
    case 'kickoff':
    case 'resume':
    case 'poll':
      return { name: `crew ${crew}`, most: CREW_CALLS };
    case 'expire':
    case 'catch-up':
    case 'check-hold':
      return { name: 'store', most: STORE_CALLS };
  }
}
