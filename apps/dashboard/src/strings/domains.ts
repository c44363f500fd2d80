import { fill } from './fill.ts';

/** Every text about hosts of the account's own. */
export const domainsText = {
  title: 'Domains',
  text: 'Hosts that your short links can begin with. The operator of this server adds and removes them.',
  table: 'Domains',
  host: 'Domain',
  status: 'Status',
  statuses: { active: 'Active', released: 'Not connected' },
  releasedHint: 'Its short links don’t work until the operator adds the domain again.',
  default: 'Default',
  defaultHint: 'New codes start with it.',
  codes: 'Codes',
  showCodes: (host: string) => fill('Show the codes on {host}', { host }),
  root: 'The domain alone leads to',
  notFound: 'Unknown links lead to',
  ownPage: 'A page of this server',
  emptyTitle: 'No domains yet',
  emptyText:
    'With a domain of your own, printed codes begin with your name. Ask the operator of this server to add it.',
  choose: 'Domain',
  chooseHint: 'It is printed with the code. You can’t change it later.',
  service: (host: string) => fill('{host} (this server)', { host }),
  filter: 'Domain',
  filterAll: 'All domains',
  filterChip: (host: string) => fill('On {host}', { host }),
} as const;
