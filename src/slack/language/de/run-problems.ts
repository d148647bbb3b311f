import type { RUN_PROBLEMS as ENGLISH } from '../en/run-problems.ts';
import type { Translated } from '../message-values.ts';

export const RUN_PROBLEMS: Translated<typeof ENGLISH> = {
  'problem.lost':
    'Der Dienst der Crew kennt diesen Lauf nicht mehr. Vielleicht wartet er auf eine Entscheidung, von der Signoff nie erfahren hat: Sieh in der Oberfläche der Crew nach. Meldet sich die Crew wieder, geht es in diesem Thread weiter.',
  'problem.expired':
    'Über die letzte Freigabe hat niemand rechtzeitig entschieden, und die Crew wartet noch. Antworte in der Oberfläche der Crew. Braucht niemand den Lauf mehr, verfolge ihn hier nicht weiter.',
  'problem.unseen':
    'Die Crew wartet nach eigener Auskunft auf einen Menschen, aber ihre Anfrage hat Signoff nicht erreicht. Sieh in der Oberfläche der Crew nach; wer die Crew betreibt, kann prüfen, ob ihr Human-Input-Webhook hierher zeigt.',
  'problem.unauthorized':
    'Der Dienst der Crew akzeptiert Signoffs Zugangstoken nicht mehr, deshalb fehlt hier vielleicht etwas. Wer Signoff betreibt, kann es erneuern.',
  'problem.unreachable':
    'Die Crew ist gerade nicht erreichbar. Signoff versucht es weiter, und dieser Thread holt alles nach.',
  'problem.unsent':
    'Die Crew ist gerade nicht erreichbar. Die Entscheidung ist gespeichert; Signoff versucht es weiter.',
  'problem.hidden.not-in-channel':
    'Eine Freigabe lässt sich nicht zeigen, weil Signoff nicht mehr in diesem Channel ist. Gib `/invite @{bot}` ein; sie erscheint dann in ein paar Minuten.',
  'problem.hidden.archived': 'Eine Freigabe lässt sich nicht zeigen, weil dieser Channel archiviert ist.',
  'problem.hidden.may-not-post':
    'Eine Freigabe lässt sich nicht zeigen, weil Signoff hier nicht mehr posten darf. Frag die Admins des Channels.',
  'problem.unreadable-request':
    '*{crew}* bittet um eine Freigabe in einem Format, das Signoff nicht lesen kann. Deshalb lässt sich hier nicht entscheiden.',
  'problem.unreadable-parts': 'Angekommen sind diese Teile: {parts}. Zeig das der Person, die die Crew betreibt.',
  'problem.unreadable-nothing': 'Nichts darin hat einen Namen. Zeig das der Person, die die Crew betreibt.',
  'problem.limit.open-requests':
    'Die Crew bittet um mehr als {most} Freigaben zugleich. Weitere Anfragen werden abgewiesen, bis über einige entschieden ist.',
  'problem.limit.rounds':
    'Eine Aufgabe hat mehr als {most} Mal um Freigabe gebeten. Ihre weiteren Anfragen werden abgewiesen.',
  'problem.limit.requests':
    'Die Crew hat in diesem Lauf um mehr als {most} Freigaben gebeten. Weitere Anfragen werden abgewiesen.',
  'problem.limit.texts':
    'Die Crew hat mehr Text geschickt, als Signoff für einen Lauf speichert. Was darüber hinausgeht, wird abgewiesen.',
  'problem.quoted': '„{name}“',
};
