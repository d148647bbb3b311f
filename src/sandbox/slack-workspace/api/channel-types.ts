import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { textArg } from './arguments.ts';
import { needScope } from './channel-access.ts';

type Kind = StoredChannel['kind'];

/** There are no group direct messages here. */
const KINDS: { [type: string]: Kind | undefined } = { public_channel: 'public', private_channel: 'private', im: 'im' };
const TYPES = [...Object.keys(KINDS), 'mpim'];
const SCOPES: Record<Kind, string> = { public: 'channels:read', private: 'groups:read', im: 'im:read' };

/** The kinds of conversations that a list is asked for by `types`; needs the scope of each. Default: public channels. */
export function wantedKinds(workspace: Workspace, args: JsonObject): Kind[] {
  const types = (textArg(args, 'types') || 'public_channel').split(',').map((type) => type.trim());
  if (types.some((type) => !TYPES.includes(type))) throw new ApiError('invalid_types');
  const kinds = types.flatMap((type) => KINDS[type] ?? []);
  for (const kind of kinds) needScope(workspace, SCOPES[kind]);
  return kinds;
}
