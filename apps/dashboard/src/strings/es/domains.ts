import type { domainsText as English } from '../domains.ts';
import type { Translation } from '../translation.ts';

export const domainsText: Translation<typeof English> = {
  title: 'Dominios',
  text: 'Hosts con los que pueden empezar sus enlaces cortos. El operador de este servidor los añade y los quita.',
  table: 'Dominios',
  host: 'Dominio',
  status: 'Estado',
  statuses: { active: 'Activo', released: 'No conectado' },
  releasedHint: 'Sus enlaces cortos no funcionan hasta que el operador vuelva a añadir el dominio.',
  default: 'Predeterminado',
  defaultHint: 'Los códigos nuevos empiezan con él.',
  codes: 'Códigos',
  showCodes: 'Mostrar los códigos en {host}',
  root: 'El dominio solo lleva a',
  notFound: 'Los enlaces desconocidos llevan a',
  ownPage: 'Una página de este servidor',
  emptyTitle: 'Aún no hay dominios',
  emptyText:
    'Con un dominio propio, los códigos impresos empiezan con su nombre. Pida al operador de este servidor que lo añada.',
  choose: 'Dominio',
  chooseHint: 'Se imprime con el código. No se puede cambiar después.',
  service: '{host} (este servidor)',
  filter: 'Dominio',
  filterAll: 'Todos los dominios',
  filterChip: 'En {host}',
};
