import type { Translation } from '../translation.ts';
import type { viewsText as English } from '../views.ts';

export const viewsText: Translation<typeof English> = {
  title: 'Vues enregistrées',
  save: 'Enregistrer la vue',
  saveTitle: 'Enregistrer cette vue',
  saveHint: 'Elle apparaît dans la navigation. Vous seul la voyez.',
  name: 'Nom',
  namePlaceholder: 'Menus à Lyon',
  submit: 'Enregistrer',
  saved: 'Vue « {name} » enregistrée.',
  failed: 'La vue n’a pas été enregistrée',
  current: 'Vue : {name}',
  actionsFor: 'Actions pour la vue {name}',
  rename: 'Renommer',
  renameTitle: 'Renommer cette vue',
  delete: 'Supprimer la vue',
  deleted: 'Vue « {name} » supprimée.',
  notDeleted: 'La vue n’a pas été supprimée',
  notLoaded: 'Impossible de charger les vues',
  faults: { empty: 'Saisissez un nom', long: 'Utilisez au plus 60 caractères' },
};
