import type { HomeListener } from '../interaction/listeners.ts';

/** https://docs.slack.dev/reference/events/app_home_opened */
export const onHomeOpened: HomeListener = async ({ context, event }) => {
  const { home, person } = context;
  // Nothing is stored, so Slack doesn't have to wait for the acknowledgement until it is shown.
  if (event.tab === 'home' && person.id !== '') void home.show(person.id, event.view?.private_metadata ?? '');
};
