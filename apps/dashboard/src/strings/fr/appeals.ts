import type { appealsText as English } from '../appeals.ts';
import type { Translation } from '../translation.ts';

export const appealsText: Translation<typeof English> = {
  accountTitle: 'Votre compte est suspendu',
  accountMeaning:
    'Vos liens ne redirigent plus personne, et vous ne pouvez rien créer ni modifier. Rien n’a été supprimé : vous pouvez toujours consulter et exporter vos données, supprimer des codes et révoquer des clés.',
  codeTitle: 'Ce code est suspendu pour raison de sécurité',
  codeMeaning:
    'Les personnes qui le scannent voient qu’il a été bloqué. Vos modifications sont enregistrées, mais seul l’opérateur peut le rétablir.',
  since: 'Depuis le {time}',
  reason: 'le motif',
  yourAppeal: 'votre recours',
  answer: 'la réponse',
  appealed: 'Vous avez fait un recours {at}.',
  waiting: 'L’opérateur le lira. Vous pouvez encore le modifier.',
  answered: 'L’opérateur a lu votre recours le {time}. La suspension est maintenue.',
  answeredWith: 'L’opérateur a lu votre recours le {time}. La suspension est maintenue : {text}',
  appeal: 'Faire un recours',
  changeAppeal: 'Modifier le recours',
  appealAgain: 'Faire un nouveau recours',
  form: {
    title: 'Recours',
    changeTitle: 'Modifier votre recours',
    label: 'Que doit savoir l’opérateur ?',
    hint: 'Pourquoi c’est une erreur, ou ce qui a changé depuis.',
    missing: 'Écrivez une ou deux phrases',
    length: '{characters} caractères sur {most}',
    failure: 'Votre recours n’a pas été envoyé',
    cancel: 'Annuler',
    send: 'Envoyer le recours',
    sent: 'Recours envoyé. L’opérateur le lira.',
  },
};
