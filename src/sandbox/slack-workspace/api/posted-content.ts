import { compact, type JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { linkedNames } from '../state/link-names.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, textArg } from './arguments.ts';
import { needScope } from './channel-access.ts';
import { composedMessage, saysNothing } from './composed-message.ts';
import type { Remarks } from './method.ts';
import { truncated } from './truncated.ts';

type PostedContent = Pick<StoredMessage, 'userId' | 'text' | 'blocks'> &
  Partial<Pick<StoredMessage, 'botId' | 'attachments' | 'metadata' | 'username'>>;

/** What a message of the app says, and under which name. Throws `no_text` if it says nothing. */
export function postedContent(workspace: Workspace, args: JsonObject, remarks: Remarks): PostedContent {
  const { app } = workspace;
  const composed = composedMessage(workspace, args);
  if (saysNothing(composed)) throw new ApiError('no_text');
  const { text = '', blocks = [], attachments, metadata } = composed;
  const username = customName(workspace, args);
  return {
    userId: app.botUserId,
    botId: app.botId,
    text: postedText(workspace, text, args, remarks),
    blocks,
    ...(attachments && { attachments }),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    ...(username !== undefined && { username }),
  };
}

/** A custom name or icon needs `chat:write.customize`. */
export function customName(workspace: Workspace, args: JsonObject): string | undefined {
  const { username, icon_emoji, icon_url } = args;
  if (Object.keys(compact({ username, icon_emoji, icon_url })).length > 0) needScope(workspace, 'chat:write.customize');
  return textArg(args, 'username');
}

/** `link_names` and `parse=full` turn names into mentions; text over 40,000 characters is truncated. */
function postedText(workspace: Workspace, text: string, args: JsonObject, remarks: Remarks): string {
  const linking = flagArg(args, 'link_names') || textArg(args, 'parse') === 'full';
  const kept = truncated(text, remarks);
  return linking ? linkedNames(workspace.state, kept) : kept;
}
