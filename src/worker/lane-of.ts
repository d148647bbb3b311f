import type { DueAction } from '../core/due-actions.ts';

/** Whom a action calls. */
export function laneOf({ kind }: DueAction, crew: string): string {
  switch (kind) {
    case 'post':
    case 'update':
    case 'starter-notice':
      return 'slack';
    case 'kickoff':
    case 'resume':
    case 'poll':
      return `crew ${crew}`;
    case 'expire':
    case 'catch-up':
    case 'check-adoption':
      return 'store';
  }
}
