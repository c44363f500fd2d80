import type { appealsText as English } from '../appeals.ts';
import type { Translation } from '../translation.ts';

export const appealsText: Translation<typeof English> = {
  accountTitle: 'Ihr Konto ist gesperrt',
  accountMeaning:
    'Ihre Links leiten niemanden weiter, und Sie können nichts erstellen oder ändern. Es wurde nichts gelöscht: Sie können Ihre Daten weiterhin ansehen und exportieren, Codes löschen und Schlüssel widerrufen.',
  codeTitle: 'Dieser Code ist aus Sicherheitsgründen gesperrt',
  codeMeaning:
    'Wer ihn scannt, sieht, dass er gesperrt wurde. Ihre Änderungen werden gespeichert, aber nur der Betreiber kann ihn freigeben.',
  since: 'Seit {time}',
  reason: 'die Begründung',
  yourAppeal: 'Ihr Widerspruch',
  answer: 'die Antwort',
  appealed: 'Sie haben {at} widersprochen.',
  waiting: 'Der Betreiber wird ihn lesen. Sie können ihn noch ändern.',
  answered: 'Der Betreiber hat Ihren Widerspruch am {time} gelesen. Die Sperrung bleibt.',
  answeredWith: 'Der Betreiber hat Ihren Widerspruch am {time} gelesen. Die Sperrung bleibt: {text}',
  appeal: 'Widersprechen',
  changeAppeal: 'Widerspruch ändern',
  appealAgain: 'Erneut widersprechen',
  form: {
    title: 'Widerspruch',
    changeTitle: 'Widerspruch ändern',
    label: 'Was sollte der Betreiber wissen?',
    hint: 'Warum es ein Irrtum ist oder was sich seitdem geändert hat.',
    missing: 'Schreiben Sie ein oder zwei Sätze',
    length: '{characters} von {most} Zeichen',
    failure: 'Ihr Widerspruch wurde nicht gesendet',
    cancel: 'Abbrechen',
    send: 'Widerspruch senden',
    sent: 'Widerspruch gesendet. Der Betreiber wird ihn lesen.',
  },
};
