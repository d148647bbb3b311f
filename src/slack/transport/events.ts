import { onHomeOpened } from '../home/events.ts';
import type { OnEvent } from '../interaction/handlers.ts';

/** Which handler answers which event. Slack also sends others, if the app is set up to get them. */
export const events: Readonly<Record<string, OnEvent>> = { app_home_opened: onHomeOpened };
