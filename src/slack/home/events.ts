import type { OnEvent } from '../interaction/handlers.ts';

/** https://docs.slack.dev/reference/events/app_home_opened */
export const onHomeOpened: OnEvent = async ({ home }, { userId, tab, home: shown }, ack) => {
  await ack();
  if (tab === 'home' && userId !== '') await home.show(userId, shown?.metadata ?? '');
};
