import type { DENIALS as ENGLISH } from '../en/denials.ts';
import type { Translated } from '../message-values.ts';

export const DENIALS: Translated<typeof ENGLISH> = {
  'denial.stranger': 'Das können nur Mitglieder des Workspace, in dem Signoff installiert ist. Frag dort jemanden.',
  'denial.guest':
    'Du bist Gast in diesem Workspace, und Gäste können {what, select, start {*{crew}* nicht starten} requests {nicht über die Anfragen entscheiden} other {das nicht entscheiden}}.',
  'denial.bot':
    'Apps können {what, select, start {*{crew}* nicht starten} requests {nicht über die Anfragen entscheiden} other {das nicht entscheiden}}.',
  'denial.deactivated':
    'Dein Konto ist deaktiviert, deshalb kannst du {what, select, start {*{crew}* nicht starten} requests {nicht über die Anfragen entscheiden} other {das nicht entscheiden}}.',
  'denial.self-approval': 'Du hast diesen Lauf gestartet, deshalb muss jemand anders entscheiden.',
  'denial.self-approval-elsewhere': 'Dieser Lauf gilt als von dir gestartet, deshalb muss jemand anders entscheiden.',
  'denial.not-approver':
    'Du gehörst nicht zu denen, die {what, select, start {*{crew}* starten} requests {über die Anfragen entscheiden} other {das entscheiden}} können.',
  'denial.giver-denied':
    '{name} hat dir das übergeben und kann selbst nicht mehr darüber entscheiden. Deshalb kannst du es auch nicht.',
  'denial.right-used':
    '{name} hat das schon mit demselben Recht freigegeben, und ihr zählt zusammen nur einmal. Jemand anders muss freigeben.',
  'denial.no-token':
    'Dafür brauchst du ein eigenes Zugangstoken. Verbinde es mit {command} und versuch es noch einmal.',
  'denial.unsure-you': 'Slack kann gerade nicht sagen, wer du bist. Versuch es in einer Minute noch einmal.',
  'denial.unsure-starter':
    'Slack kann gerade nicht sagen, ob du diesen Lauf gestartet hast. Versuch es in einer Minute noch einmal.',
  'denial.unsure-elsewhere':
    'Dieser Lauf gilt als gestartet von {name}, und Slack kann gerade nicht sagen, wer das ist. Deshalb kann niemand entscheiden. Versuch es in einer Minute noch einmal.',
  'denial.unsure-voters':
    'Slack kann gerade nicht sagen, ob alle, die das freigegeben oder übergeben haben, noch entscheiden können. Versuch es in einer Minute noch einmal.',
  'denial.unsure-channel':
    'Slack kann gerade nicht sagen, ob du in diesem Channel bist. Versuch es in einer Minute noch einmal.',
  'denial.unsure-group':
    'Slack kann gerade nicht sagen, ob du in einer der Gruppen bist, die das können. Versuch es in einer Minute noch einmal.',
  'denial.unsure-member':
    'Slack kann gerade nicht sagen, ob du in {group} bist. Versuch es in einer Minute noch einmal.',
  'denial.unsure-email': 'Slack kann gerade nicht sagen, ob du {email} bist. Versuch es in einer Minute noch einmal.',
  'take-over.stranger': '{who} gehört zu einer anderen Organisation und kann das nicht entscheiden.',
  'take-over.guest': '{who} ist Gast in diesem Workspace, und Gäste können das nicht entscheiden.',
  'take-over.bot': '{who} ist eine App. Das können nur Menschen entscheiden.',
  'take-over.deactivated': 'Das Konto von {who} ist deaktiviert.',
  'take-over.self-approval': '{who} hat diesen Lauf gestartet, deshalb muss jemand anders entscheiden.',
  'take-over.not-approver': '{who} kann das nicht entscheiden.',
  'take-over.no-token': '{who} braucht dafür ein eigenes Zugangstoken und hat keins verbunden.',
  'take-over.unsure':
    'Slack kann gerade nicht sagen, ob {who} das entscheiden kann. Versuch es in einer Minute noch einmal.',
};
