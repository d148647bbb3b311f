import type { POLICY as ENGLISH } from '../en/policy.ts';
import type { Translated } from '../message-values.ts';

export const POLICY: Translated<typeof ENGLISH> = {
  'policy.quorum':
    '{count, plural, one {Eine Person entscheidet.} other {# verschiedene Personen müssen freigeben; wer Änderungen anfordert, entscheidet sofort.}}',
  'policy.approvers': 'Entscheiden können: {people}.',
  'policy.starters': 'Starten können: {people}.',
  'policy.starter-cannot': 'Wer den Lauf gestartet hat, kann nicht darüber entscheiden.',
  'policy.elsewhere-count': 'Ein außerhalb von Slack gestarteter Lauf gilt als gestartet von: {people}.',
  'policy.elsewhere-unknown':
    'Wer einen Lauf außerhalb von Slack gestartet hat, ist nicht bekannt und kann deshalb auch darüber entscheiden.',
  'policy.starter-can': 'Auch wer den Lauf gestartet hat, kann darüber entscheiden.',
  'policy.starter-can-if-named': 'Auch wer den Lauf gestartet hat, kann darüber entscheiden, falls oben genannt.',
  'policy.guests-cannot': 'Gäste und Leute aus anderen Organisationen können nicht entscheiden.',
  'policy.guests-can-if-named':
    'Gäste und Leute aus anderen Organisationen können nur entscheiden, wenn ihre ID genannt ist.',
  'policy.own-token': 'Für diese Crew brauchen alle ein eigenes Zugangstoken: {command}.',
  'policy.review': 'Ist die Anfrage jünger als {time}, muss eine Freigabe bestätigt werden.',
  'policy.undo': 'Eine Entscheidung lässt sich {time} lang zurücknehmen; erst dann wird sie gesendet.',
  'policy.reminder': 'Entscheidet {time} lang niemand, wird daran erinnert, danach immer seltener.',
  'policy.escalation': 'Entscheidet {time} lang niemand, können auch entscheiden: {people}.',
  'policy.closing': 'Entscheidet {time} lang niemand, wird die Freigabe geschlossen; die Crew erfährt nichts.',
  'policy.rejection': 'Entscheidet {time} lang niemand, fordert Signoff Änderungen an: „{feedback}“',
  'policy.hours': 'Für diese Zeiten zählt nur die Arbeitszeit: {hours}.',
  'policy.with-place': '{sentence} ({place})',
  'policy.place-line': '{source}, Zeile {line}',
  'policy.place-lines': '{source}, Zeilen {lines}',
  'who.workspace': 'alle Mitglieder des Workspace',
  'who.this-channel': 'alle Mitglieder dieses Channels',
  'who.the-channel': 'die Mitglieder des Channels',
  'who.group': 'alle in {group}',
  'who.nobody': 'niemand',
};
