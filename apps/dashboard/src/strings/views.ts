import { fill } from './fill.ts';

/** Every text about saved views. They stand in the navigation of every page. */
export const viewsText = {
  title: 'Saved views',
  save: 'Save view',
  saveTitle: 'Save this view',
  saveHint: 'It appears in the navigation. Only you see it.',
  name: 'Name',
  namePlaceholder: 'Menus in Hamburg',
  submit: 'Save',
  saved: (name: string) => fill('View “{name}” saved.', { name }),
  failed: 'The view was not saved',
  current: (name: string) => fill('View: {name}', { name }),
  actionsFor: (name: string) => fill('Actions for the view {name}', { name }),
  rename: 'Rename',
  renameTitle: 'Rename this view',
  delete: 'Delete view',
  deleted: (name: string) => fill('View “{name}” deleted.', { name }),
  notDeleted: 'The view was not deleted',
  notLoaded: 'Views could not be loaded',
  faults: { empty: 'Enter a name', long: 'Use at most 60 characters' },
} as const;
