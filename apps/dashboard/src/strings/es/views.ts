import type { Translation } from '../translation.ts';
import type { viewsText as English } from '../views.ts';

export const viewsText: Translation<typeof English> = {
  title: 'Vistas guardadas',
  save: 'Guardar vista',
  saveTitle: 'Guardar esta vista',
  saveHint: 'Aparece en la navegación. Solo usted la ve.',
  name: 'Nombre',
  namePlaceholder: 'Menús en Sevilla',
  submit: 'Guardar',
  saved: 'Vista «{name}» guardada.',
  failed: 'La vista no se guardó',
  current: 'Vista: {name}',
  actionsFor: 'Acciones para la vista {name}',
  rename: 'Cambiar nombre',
  renameTitle: 'Cambiar el nombre de esta vista',
  delete: 'Eliminar vista',
  deleted: 'Vista «{name}» eliminada.',
  notDeleted: 'La vista no se eliminó',
  notLoaded: 'No se pudieron cargar las vistas',
  faults: { empty: 'Escriba un nombre', long: 'Use como máximo 60 caracteres' },
};
