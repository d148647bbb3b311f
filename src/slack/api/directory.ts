import type { WebClient } from '@slack/web-api';
import type { Directory } from '../../core/ports.ts';
import type { Identity } from './identity.ts';

export function createDirectory(_client: WebClient, _identity: Identity): Directory {
  throw new Error('not merged yet');
}
