import type { domainsText as English } from '../domains.ts';
import type { Translation } from '../translation.ts';

export const domainsText: Translation<typeof English> = {
  title: 'Domains',
  text: 'Hosts, mit denen Ihre Kurzlinks beginnen können. Der Betreiber dieses Servers fügt sie hinzu und entfernt sie.',
  table: 'Domains',
  host: 'Domain',
  status: 'Status',
  statuses: { active: 'Aktiv', released: 'Nicht verbunden' },
  releasedHint: 'Ihre Kurzlinks funktionieren nicht, bis der Betreiber die Domain wieder hinzufügt.',
  default: 'Standard',
  defaultHint: 'Neue Codes beginnen damit.',
  codes: 'Codes',
  showCodes: 'Codes auf {host} anzeigen',
  root: 'Die Domain allein führt zu',
  notFound: 'Unbekannte Links führen zu',
  ownPage: 'Einer Seite dieses Servers',
  emptyTitle: 'Noch keine Domains',
  emptyText:
    'Mit einer eigenen Domain beginnen gedruckte Codes mit Ihrem Namen. Bitten Sie den Betreiber dieses Servers, sie hinzuzufügen.',
  choose: 'Domain',
  chooseHint: 'Sie wird mit dem Code gedruckt. Sie können sie später nicht ändern.',
  service: '{host} (dieser Server)',
  filter: 'Domain',
  filterAll: 'Alle Domains',
  filterChip: 'Auf {host}',
};
