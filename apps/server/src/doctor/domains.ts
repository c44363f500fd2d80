import { type Database, sql } from '../platform/postgres/postgres.ts';
import type { DoctorContext } from './context.ts';
import { notChecked, type Outcome, ok, problem, warning } from './finding.ts';

/** Whether domains of accounts and hosts of the service are apart, redirects know what is stored, and nothing else is asked for. */
export async function checkDomains(context: DoctorContext): Promise<readonly Outcome[]> {
  const { config, postgres, unknownHosts } = context;
  if (!('db' in postgres)) return [notChecked('PostgreSQL cannot be reached')];
  const { db } = postgres;
  const own = listOwnHosts(config);
  const [taken, differing, count] = await Promise.all([
    readHosts(db, takenHosts, [own]),
    readHosts(db, differingHosts, []),
    db.query<{ active: number }>(activeDomains),
  ]);
  const asked = (await unknownHosts()) ?? [];
  const outcomes = [
    ...assessTaken(taken),
    ...assessDiffering(differing),
    ...assessUnknown(asked, config.unknownHosts),
  ];
  const active = count[0]!.active;
  const summary = active === 0 ? 'none was added' : `${active.toLocaleString('en')} active`;
  return outcomes.length > 0 ? outcomes : [ok(summary)];
}

type Hosts = Pick<DoctorContext['config'], 'shortBaseUrl' | 'publicUrl' | 'imageBaseUrl' | 'shortHosts'>;

const listOwnHosts = ({ shortBaseUrl, publicUrl, imageBaseUrl, shortHosts }: Hosts): readonly string[] => [
  ...new Set([
    ...[shortBaseUrl, publicUrl, imageBaseUrl].map(url => new URL(url).hostname),
    ...shortHosts.map(host => host.toLowerCase()),
  ]),
];

/** Redirects look for hosts of the service first, so the codes of such a domain are never found. */
const assessTaken = (hosts: readonly string[]): readonly Outcome[] =>
  hosts.length === 0
    ? []
    : [
        problem(
          `${name(hosts)}: domain of an account and host of the service at once, so its codes are not found`,
          'Take it out of SHORT_HOSTS, SHORT_BASE_URL, PUBLIC_URL and IMAGE_BASE_URL, or run `signpost admin remove-domain HOST --release`.',
        ),
      ];

const assessDiffering = (hosts: readonly string[]): readonly Outcome[] =>
  hosts.length === 0
    ? []
    : [
        problem(
          `${name(hosts)}: redirects know something else than what is stored`,
          'Run `signpost admin add-domain HOST --account ACCOUNT` once more for each active one, and report this.',
        ),
      ];

const assessUnknown = (hosts: readonly string[], setting: 'default' | 'refuse'): readonly Outcome[] => {
  if (hosts.length === 0) return [];
  const asked = `asked for in the last day, and neither yours nor a domain of an account: ${name(hosts)}`;
  if (setting === 'refuse') return [ok(`${asked}. They are refused`)];
  return [
    warning(
      `${asked}. They serve the short links of the service`,
      'Add hosts that were printed to SHORT_HOSTS. Then set `UNKNOWN_HOSTS=refuse`.',
    ),
  ];
};

/** At most a hundred, of each kind. */
const name = (hosts: readonly string[]): string => hosts.join(', ');

const readHosts = async (db: Database, statement: ReturnType<typeof sql>, values: readonly unknown[]) =>
  (await db.query<{ host: string }>(statement, values)).map(({ host }) => host);

const activeDomains = sql(
  'doctor-active-domains',
  `select count(*)::int as active from domains where status = 'active'`,
);

const takenHosts = sql(
  'doctor-taken-hosts',
  'select host from domains where host = any($1::text[]) order by host limit 100',
);

/** What redirects read is written in the transaction of each change: a difference is a fault of ours or an edit by hand. */
const differingHosts = sql(
  'doctor-differing-domains',
  `select d.host
     from domains d
     left join stops s on s.subject = 'domain/' || d.host
     left join domain_targets r on r.domain_id = d.id and r.kind = 'root' and r.cleared_at is null
     left join domain_targets n on n.domain_id = d.id and n.kind = 'not_found' and n.cleared_at is null
    where s.domain is null
       or (s.domain->>'account') is distinct from d.account_id::text
       or (s.domain->>'space') is distinct from 'd/' || d.tag || '/'
       or (s.domain->>'active')::boolean is distinct from (d.status = 'active')
       or (s.domain->>'root') is distinct from r.url
       or (s.domain->>'notFound') is distinct from n.url
    order by d.host limit 100`,
);
