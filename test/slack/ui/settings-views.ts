import type { ModalView } from '@slack/types';
import { type AbsenceOutcome, type PersonSettings, USUAL_SETTINGS } from '../../../src/core/inbox/person-settings.ts';
import { reportBlocks, settingsModal } from '../../../src/slack/features/settings/modal.ts';
import { modalOf } from '../../../src/slack/ui/modal.ts';
import { nameIn } from '../../../src/slack/ui/person.ts';
import { openRequest } from './home-views.ts';
import { NOW, say } from './models.ts';

const OUTCOMES: AbsenceOutcome[] = [
  { kind: 'handed-over' },
  { kind: 'anyway' },
  { kind: 'not-allowed' },
  { kind: 'not-passed-on' },
  { kind: 'refused', denial: { kind: 'self-approval' } },
  { kind: 'open' },
];

export function settingsModals(text: string): [string, ModalView][] {
  const away = { until: NOW + 86_400_000, since: NOW, standIn: { id: 'U0JON', name: text } };
  const all: PersonSettings = {
    tell: { kind: 'at-once' },
    hearsEndings: true,
    away,
  };
  const name = () => text;
  const request = openRequest({ run: { crew: text }, taskName: text, round: 12 });
  const items = OUTCOMES.flatMap((outcome) => Array.from({ length: 12 }, () => ({ request, outcome })));
  const report = reportBlocks({ standIn: away.standIn, items }, { who: nameIn(name, away.standIn), say });
  return [
    ['settings', settingsModal({ settings: all, now: NOW, timeZone: 'Asia/Kathmandu', name, say })],
    ['settings, of nobody', settingsModal({ settings: USUAL_SETTINGS, now: NOW, timeZone: null, name, say })],
    ['settings, handed over', modalOf(say, { title: say('settings.title'), blocks: report })],
  ];
}
