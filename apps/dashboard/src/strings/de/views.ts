import type { Translation } from '../translation.ts';
import type { viewsText as English } from '../views.ts';

export const viewsText: Translation<typeof English> = {
  title: 'Gespeicherte Ansichten',
  save: 'Ansicht speichern',
  saveTitle: 'Diese Ansicht speichern',
  saveHint: 'Sie erscheint in der Navigation. Nur Sie sehen sie.',
  name: 'Name',
  namePlaceholder: 'Speisekarten in Hamburg',
  submit: 'Speichern',
  saved: 'Ansicht „{name}“ gespeichert.',
  failed: 'Die Ansicht wurde nicht gespeichert',
  current: 'Ansicht: {name}',
  actionsFor: 'Aktionen für die Ansicht {name}',
  rename: 'Umbenennen',
  renameTitle: 'Diese Ansicht umbenennen',
  delete: 'Ansicht löschen',
  deleted: 'Ansicht „{name}“ gelöscht.',
  notDeleted: 'Die Ansicht wurde nicht gelöscht',
  notLoaded: 'Ansichten konnten nicht geladen werden',
  faults: { empty: 'Geben Sie einen Namen ein', long: 'Verwenden Sie höchstens 60 Zeichen' },
};
