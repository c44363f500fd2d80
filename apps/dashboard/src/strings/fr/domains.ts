import type { domainsText as English } from '../domains.ts';
import type { Translation } from '../translation.ts';

export const domainsText: Translation<typeof English> = {
  title: 'Domaines',
  text: 'Hôtes par lesquels vos liens courts peuvent commencer. L’opérateur de ce serveur les ajoute et les retire.',
  table: 'Domaines',
  host: 'Domaine',
  status: 'État',
  statuses: { active: 'Actif', released: 'Non connecté' },
  releasedHint:
    'Ses liens courts ne fonctionnent pas tant que l’opérateur n’a pas ajouté de nouveau le domaine.',
  default: 'Par défaut',
  defaultHint: 'Les nouveaux codes commencent par lui.',
  codes: 'Codes',
  showCodes: 'Afficher les codes sur {host}',
  root: 'Le domaine seul mène à',
  notFound: 'Les liens inconnus mènent à',
  ownPage: 'Une page de ce serveur',
  emptyTitle: 'Pas encore de domaines',
  emptyText:
    'Avec votre propre domaine, les codes imprimés commencent par votre nom. Demandez à l’opérateur de ce serveur de l’ajouter.',
  choose: 'Domaine',
  chooseHint: 'Il est imprimé avec le code. Vous ne pourrez pas le modifier ensuite.',
  service: '{host} (ce serveur)',
  filter: 'Domaine',
  filterAll: 'Tous les domaines',
  filterChip: 'Sur {host}',
};
