import type { Duty } from '../core/due-actions.ts';

/** Whom a duty calls. */
export function laneOf({ kind }: Duty, crew: string): string {
  switch (kind) {
    case 'post':
    case 'update':
    case 'notice':
      return 'slack';
    case 'kickoff':
    case 'resume':
    case 'poll':
      return `crew ${crew}`;
    case 'expire':
    case 'catch-up':
    case 'check-hold':
      return 'store';
  }
}
