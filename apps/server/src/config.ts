import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { addressRanges } from './kernel/client-address.ts';
import { checkEngineAddress, type EngineName } from './kernel/engine-address.ts';
import { nearestName } from './kernel/nearest-name.ts';

/** Everything that an operator can set, read from the environment once, here and nowhere else. */
export type Config = {
  readonly host: string;
  readonly apiPort: number;
  readonly redirectPort: number;
  readonly metricsPort: number;
  readonly publicUrl: string;
  readonly shortBaseUrl: string;
  readonly imageBaseUrl: string;
  readonly databaseUrl: string;
  readonly databaseDirectUrl: string;
  readonly databasePooler: 'none' | 'transaction';
  readonly databasePoolSize: number;
  readonly databaseTimeoutMs: number;
  readonly redisUrl: string;
  readonly redisTimeoutMs: number;
  readonly natsUrl: string;
  readonly clickhouseUrl: string;
  readonly analyticsTimeoutMs: number;
  readonly questionsPerAccount: number;
  readonly exportsPerAccount: number;
  readonly exportLeastKibPerSecond: number;
  readonly exportPatienceSeconds: number;
  readonly trustedProxies: readonly string[];
  readonly anonymousRequestsPerMinute: number;
  readonly linksInMemory: number;
  readonly missesPerMinute: number;
  readonly minChosenCode: number;
  readonly drawingsPerMinute: number;
  readonly staleLinks: 'serve' | 'refuse';
  readonly scanShards: number;
  readonly scanShard: number;
  readonly scanLogReplicas: number;
  readonly scanLogDays: number;
  readonly scanLogMaxMb: number;
  readonly spoolDir: string;
  readonly spoolMaxMb: number;
  readonly visitorWindow: 'month' | 'day';
  readonly placeFiles: readonly string[];
  readonly imageCacheMb: number;
  readonly authSecret: string;
  readonly signUp: 'open' | 'closed';
  readonly defaultPlan: string;
  readonly sessionDays: number;
  readonly sessionCallsPerMinute: number;
  readonly signInTries: number;
  readonly signUpsPerHour: number;
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly requireVerifiedEmail: boolean;
  readonly newAccountCodesPerDay: number | null;
  readonly abuseContact: string;
  readonly webhookSecretKeys: readonly Buffer[];
  readonly webhookAllowCidrs: readonly string[];
  readonly webhookDnsServers: readonly string[];
  readonly webhookPlaces: number;
  readonly webhookHostRate: number;
  readonly webhookQueueMax: number;
  readonly webhookQueuePerAccount: number;
  readonly webhooksPerAccount: number;
  readonly traceEndpoint: string;
  readonly traceRatio: number;
  readonly shutdownTimeoutMs: number;
  readonly logLevel: string;
};

/** A setting: its name in the environment, what it is for, and how its text is read. */
type Setting<Value> = {
  readonly name: string;
  readonly description: string;
  /** Left out where there is none: the setting must be given. `$NAME` stands for another setting. */
  readonly default?: string;
  /** A secret may also come from the file that NAME_FILE names, and is never printed. */
  readonly secret?: true;
  /** A secret that may be left out; its description says what is missing then. */
  readonly optional?: true;
  /** `of` is the text of another setting, for one that depends on it. */
  readonly parse: (text: string, of: (name: string) => string) => Value;
};

export const settings: { readonly [Key in keyof Config]: Setting<Config[Key]> } = {
  host: {
    name: 'HOST',
    description: 'Address to listen on. 0.0.0.0 for every interface.',
    default: '127.0.0.1',
    parse: host,
  },
  apiPort: { name: 'API_PORT', description: 'Port of the API.', default: '8080', parse: port },
  redirectPort: {
    name: 'REDIRECT_PORT',
    description:
      'Port of the short links where they run by themselves; `all` answers them on the port of the API.',
    default: '8081',
    parse: port,
  },
  metricsPort: {
    name: 'METRICS_PORT',
    description: 'Port of the Prometheus metrics (/metrics), apart from the API so that it can stay private.',
    default: '9464',
    parse: port,
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    description: 'Where callers reach the API; begins the links in errors and documents.',
    default: 'http://localhost:8080',
    parse: baseUrl,
  },
  shortBaseUrl: {
    name: 'SHORT_BASE_URL',
    description:
      'What short links begin with. It is printed into every image: choose it once, keep it short.',
    default: '$PUBLIC_URL',
    parse: baseUrl,
  },
  imageBaseUrl: {
    name: 'IMAGE_BASE_URL',
    description: 'What the addresses of public images begin with.',
    default: '$PUBLIC_URL/images',
    parse: baseUrl,
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    description: 'PostgreSQL 15 or newer, as postgres://user:password@host:port/database.',
    secret: true,
    parse: engineUrl('postgres'),
  },
  databaseDirectUrl: {
    name: 'DATABASE_DIRECT_URL',
    description:
      'PostgreSQL itself, for `migrate`, `backup` and `restore`, where DATABASE_URL leads to a pooler; a redirect recognises its snapshot by it. Left empty it is DATABASE_URL.',
    secret: true,
    optional: true,
    parse: (value, of) => (value === '' ? of('DATABASE_URL') : checkEngineAddress('postgres', value)),
  },
  databasePooler: {
    name: 'DATABASE_POOLER',
    description:
      'What stands between here and PostgreSQL: `none`, or `transaction` for PgBouncer or the like, in transaction or session mode. Then statements are not prepared, and the pooler sets the time limits of single statements (`connect_query` of PgBouncer).',
    default: 'none',
    parse: poolerKind,
  },
  databasePoolSize: {
    name: 'DATABASE_POOL_SIZE',
    description: 'Connections to PostgreSQL a process may hold.',
    default: '10',
    parse: count,
  },
  databaseTimeoutMs: {
    name: 'DATABASE_TIMEOUT_MS',
    description: 'The longest that one statement, or the wait for a connection, may take.',
    default: '5000',
    parse: count,
  },
  redisUrl: {
    name: 'REDIS_URL',
    description: 'Redis or Valkey 7 or newer, as redis://user:password@host:port/number.',
    secret: true,
    parse: engineUrl('redis'),
  },
  redisTimeoutMs: {
    name: 'REDIS_TIMEOUT_MS',
    description: 'How long a call waits for Redis before the process counts requests by itself.',
    default: '40',
    parse: count,
  },
  natsUrl: {
    name: 'NATS_URL',
    description:
      'NATS 2.9 or newer with JetStream, as nats://user:password@host:port; several of a cluster by comma.',
    secret: true,
    parse: engineUrl('nats'),
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    description:
      'ClickHouse, as http://user:password@host:8123/database; or chdb:///path for the engine inside the one process of `all`.',
    secret: true,
    parse: engineUrl('clickhouse'),
  },
  analyticsTimeoutMs: {
    name: 'ANALYTICS_TIMEOUT_MS',
    description: 'The longest that one question to ClickHouse may take; then the caller gets 504 `timeout`.',
    default: '10000',
    parse: count,
  },
  questionsPerAccount: {
    name: 'QUESTIONS_PER_ACCOUNT',
    description:
      'Queries of ClickHouse that one account may have under way at a time, over all processes and both modes. What is over waits, then gets 429.',
    default: '4',
    parse: count,
  },
  exportsPerAccount: {
    name: 'EXPORTS_PER_ACCOUNT',
    description: 'Exports that one account may have running at a time, over all processes and both modes.',
    default: '2',
    parse: count,
  },
  exportLeastKibPerSecond: {
    name: 'EXPORT_LEAST_KIB_PER_SECOND',
    description:
      'How fast an export has to be read on average, in KiB a second; one that is read more slowly is aborted.',
    default: '16',
    parse: count,
  },
  exportPatienceSeconds: {
    name: 'EXPORT_PATIENCE_SECONDS',
    description:
      'How far the client may fall behind that speed, besides 4 MiB for network buffers, before its export is aborted.',
    default: '30',
    parse: count,
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    description: 'Addresses or CIDRs, by comma, whose X-Forwarded-For is believed. None by default.',
    default: '',
    parse: ranges,
  },
  anonymousRequestsPerMinute: {
    name: 'ANONYMOUS_REQUESTS_PER_MINUTE',
    description: 'Calls without a good key that one address (IPv6: /64) may make in a minute, per process.',
    default: '60',
    parse: count,
  },
  linksInMemory: {
    name: 'LINKS_IN_MEMORY',
    description: 'Codes that a redirect process remembers; about 1 kB each.',
    default: '200000',
    parse: count,
  },
  missesPerMinute: {
    name: 'MISSES_PER_MINUTE',
    description: 'Unknown short codes that one address (IPv6: /64) may ask a process for in a minute.',
    default: '60',
    parse: count,
  },
  minChosenCode: {
    name: 'MIN_CHOSEN_CODE',
    description:
      'The least length of a short code that somebody chooses, 3 to 64. Short ones are few: keep them back with a larger number. Codes that exist stay, and imports by the operator are free of it.',
    default: '3',
    parse: codeLength,
  },
  drawingsPerMinute: {
    name: 'DRAWINGS_PER_MINUTE',
    description:
      'Public images that one address (IPv6: /64) may make a process draw in a minute; a PNG of more than 1024 pixels counts as four. Images in memory are always served.',
    default: '120',
    parse: count,
  },
  staleLinks: {
    name: 'STALE_LINKS',
    description:
      'What a redirect that can reach neither its lease nor PostgreSQL does with a code that it knows: `serve` sends scanners to the last known destination, `refuse` asks them to try again.',
    default: 'serve',
    parse: serveOrRefuse,
  },
  scanShards: {
    name: 'SCAN_SHARDS',
    description:
      'Streams that redirects cut the scan log into. Ingest works on every stream there is, also beyond this number.',
    default: '1',
    parse: count,
  },
  scanShard: {
    name: 'SCAN_SHARD',
    description:
      'The stream that this redirect process writes to, counted from 0 and round: the number of the process will do.',
    default: '0',
    parse: index,
  },
  scanLogReplicas: {
    name: 'SCAN_LOG_REPLICAS',
    description: 'Copies of the scan log: 1, or 3 on a NATS cluster.',
    default: '1',
    parse: count,
  },
  scanLogDays: {
    name: 'SCAN_LOG_DAYS',
    description:
      'How long the scan log keeps what it has, 1 to 7. Ingest may be away for as long where SCAN_LOG_MAX_MB has room for the scans of that time.',
    default: '7',
    parse: days,
  },
  scanLogMaxMb: {
    name: 'SCAN_LOG_MAX_MB',
    description:
      'The most that each shard of the scan log keeps, 64 or more; nothing is reserved. Set the same for redirects and ingest. From 70 % on, ingest removes the oldest of what it has counted and stored. What is not counted stays: while it fills the log, redirects spool. The default holds a week of 90 scans a second; `npm run capacity` calculates it.',
    default: '8192',
    parse: logSize,
  },
  spoolDir: {
    name: 'SPOOL_DIR',
    description:
      'Directory for scans that the log did not take in time. Each process keeps one of its own in it.',
    default: '.spool',
    parse: text,
  },
  spoolMaxMb: {
    name: 'SPOOL_MAX_MB',
    description: 'The most that a process spools; past it scans are lost, counted and said aloud.',
    default: '1024',
    parse: count,
  },
  visitorWindow: {
    name: 'VISITOR_WINDOW',
    description: 'How long a visitor counts once: month or day, by the calendar in UTC.',
    default: 'month',
    parse: windowKind,
  },
  placeFiles: {
    name: 'PLACE_FILES',
    description: 'MMDB files of your own, by comma, to look places up in; DB-IP City Lite by default.',
    default: '',
    parse: list,
  },
  imageCacheMb: {
    name: 'IMAGE_CACHE_MB',
    description: 'Memory for images that were drawn; 32 hold about 3,000 of 512 pixels.',
    default: '32',
    parse: count,
  },
  authSecret: {
    name: 'AUTH_SECRET',
    description:
      'At least 32 random characters that sign the sessions of the dashboard; a new one signs everybody out. Without it the dashboard is off, and everything else works.',
    secret: true,
    optional: true,
    parse: longSecret,
  },
  signUp: {
    name: 'SIGN_UP',
    description:
      'Whether strangers may sign up to the dashboard: open or closed. The first operator comes by a token or a command, either way.',
    default: 'closed',
    parse: openOrClosed,
  },
  defaultPlan: {
    name: 'DEFAULT_PLAN',
    description: 'The plan of who signs up; an operator begins with enterprise.',
    default: 'free',
    parse: text,
  },
  sessionDays: {
    name: 'SESSION_DAYS',
    description: 'Days after which a session of the dashboard that is not used ends.',
    default: '14',
    parse: count,
  },
  sessionCallsPerMinute: {
    name: 'SESSION_CALLS_PER_MINUTE',
    description: 'Calls of the dashboard by one person in a minute, in each process.',
    default: '1200',
    parse: count,
  },
  signInTries: {
    name: 'SIGN_IN_TRIES',
    description:
      'Wrong passwords for one e-mail address from one network address (IPv6: /64) in 15 minutes. From one network address for all e-mails four times as many, for one e-mail from everywhere ten times. A browser that has signed in before has so many of its own, whatever strangers do.',
    default: '10',
    parse: count,
  },
  signUpsPerHour: {
    name: 'SIGN_UPS_PER_HOUR',
    description:
      'Sign-ups from one network address (IPv6: /64) in an hour; requests for reset links likewise.',
    default: '20',
    parse: count,
  },
  smtpUrl: {
    name: 'SMTP_URL',
    description:
      'Where mail is handed in, as smtp://user:password@host:587 or smtps://…:465. With it people confirm their address, get links to set a new password, and are notified of new keys, passwords, browsers and suspensions. Without it nobody is asked to confirm anything, and the operator makes a link to hand on, by the admin command `reset-link`.',
    secret: true,
    optional: true,
    parse: smtp,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    description: 'Who mail comes from.',
    default: 'Signpost <signpost@localhost>',
    parse: sender,
  },
  requireVerifiedEmail: {
    name: 'REQUIRE_VERIFIED_EMAIL',
    description:
      'Whether the short links of an account that was made by sign-up work only once its owner has confirmed the e-mail address: on or off. Left empty it is on where SIGN_UP is open and SMTP_URL is set. Accounts made by the operator never wait. Turning it off releases no account that waits already: see the admin command `confirm-email`.',
    default: '',
    parse: (value, of) => onWhereNeeded(value, of),
  },
  newAccountCodesPerDay: {
    name: 'NEW_ACCOUNT_CODES_PER_DAY',
    description:
      'QR codes that an account made by sign-up may create in the dashboard in any 24 hours, for as long as this is set. Codes made with API keys and test codes do not count. Left empty there is no such limit.',
    default: '',
    parse: value => (value === '' ? null : count(value)),
  },
  abuseContact: {
    name: 'ABUSE_CONTACT',
    description:
      'Where people write about codes that are abused: an e-mail address, or the https address of a page. None by default; set it where strangers may sign up.',
    default: '',
    parse: contact,
  },
  webhookSecretKeys: {
    name: 'WEBHOOK_SECRET_KEYS',
    description:
      'Keys that the secrets of webhooks are encrypted with: 32 bytes in base64 each, by comma (`openssl rand -base64 32`). The first encrypts, all decrypt: put a new one in front and keep the old. Without one no webhook can be made.',
    default: '',
    secret: true,
    parse: keys,
  },
  webhookAllowCidrs: {
    name: 'WEBHOOK_ALLOW_CIDRS',
    description:
      'Addresses or CIDRs, by comma, that webhooks may be sent to although they are private. Anybody who may make a webhook can then reach them from here. None by default.',
    default: '',
    parse: ranges,
  },
  webhookDnsServers: {
    name: 'WEBHOOK_DNS_SERVERS',
    description:
      'Name servers, by comma, to ask for the hosts of webhooks and for our own; those of the system by default.',
    default: '',
    parse: nameServers,
  },
  webhookPlaces: {
    name: 'WEBHOOK_PLACES',
    description:
      'Webhooks that a process sends at once, 10 or more. One endpoint gets at most a tenth of them.',
    default: '100',
    parse: places,
  },
  webhookHostRate: {
    name: 'WEBHOOK_HOST_RATE',
    description:
      'Tries a second that one account may make at one host, over all its webhooks and processes; all accounts together may make ten times as many. A plan may have a rate of its own.',
    default: '50',
    parse: rate,
  },
  webhookQueueMax: {
    name: 'WEBHOOK_QUEUE_MAX',
    description:
      'Webhooks of all accounts that wait in NATS for their first try, about 1 KB each. What is over waits in PostgreSQL.',
    default: '200000',
    parse: count,
  },
  webhookQueuePerAccount: {
    name: 'WEBHOOK_QUEUE_PER_ACCOUNT',
    description:
      'Webhooks of one account that wait in NATS for their first try. What is over waits in PostgreSQL.',
    default: '10000',
    parse: count,
  },
  webhooksPerAccount: {
    name: 'WEBHOOKS_PER_ACCOUNT',
    description: 'Webhooks that an account may have in each mode.',
    default: '10',
    parse: count,
  },
  traceEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description: 'An OpenTelemetry collector, as http://host:4318, to send traces to. Empty: no traces.',
    default: '',
    parse: optionalUrl,
  },
  traceRatio: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    description: 'The part of all calls and batches of scans that is traced, from 0 to 1.',
    default: '0.1',
    parse: ratio,
  },
  shutdownTimeoutMs: {
    name: 'SHUTDOWN_TIMEOUT_MS',
    description:
      'How long requests in flight may take to finish after SIGTERM, and a redirect to send on what it has spooled.',
    default: '8000',
    parse: count,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    description: 'fatal, error, warn, info, debug, trace or silent.',
    default: 'info',
    parse: level,
  },
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads every setting, or throws one error that names all that are wrong. */
export function readConfig(env: Environment = process.env): Config {
  const faults: string[] = [];
  const values = Object.entries(settings).map(([key, setting]) => {
    try {
      return [key, setting.parse(resolve(setting, env), name => resolve(settingOf(name), env))];
    } catch (error) {
      faults.push(
        `  ${setting.name}: ${error instanceof Error ? error.message : error} — ${setting.description}`,
      );
      return [key, undefined];
    }
  });
  if (faults.length > 0) {
    throw new Error(
      `These settings are missing or wrong:\n${faults.join('\n')}\n\`signpost config\` explains every setting.`,
    );
  }
  return Object.fromEntries(values) as Config;
}

/** What a command needs that works by the API, as a caller does. */
export type CallerSettings = { readonly url: string; readonly key: string };

export function readCallerSettings(env: Environment = process.env): CallerSettings {
  const file = env.SIGNPOST_KEY_FILE;
  const key = env.SIGNPOST_KEY || (file ? readSecret('SIGNPOST_KEY_FILE', file) : '');
  if (!env.SIGNPOST_URL || !key) {
    throw new Error(
      'Set SIGNPOST_URL to the address of the API, and SIGNPOST_KEY (or SIGNPOST_KEY_FILE) to a key of the account.',
    );
  }
  try {
    return { url: baseUrl(env.SIGNPOST_URL), key };
  } catch (error) {
    throw new Error(`SIGNPOST_URL: ${error instanceof Error ? error.message : error}.`);
  }
}

/** The reference of all settings, as text for a terminal or as Markdown for the docs. */
export function describeSettings(form: 'text' | 'markdown'): string {
  const rows = Object.values<Setting<unknown>>(settings);
  const fallback = (setting: Setting<unknown>) =>
    setting.default === undefined ? (setting.optional ? 'none' : 'required') : setting.default || 'empty';
  if (form === 'text') {
    return rows
      .map(
        row =>
          `${row.name} (${fallback(row)}${row.secret ? `; or ${row.name}_FILE` : ''})\n    ${row.description}`,
      )
      .join('\n');
  }
  const lines = rows.map(row => {
    const names = row.secret ? `\`${row.name}\` or \`${row.name}_FILE\`` : `\`${row.name}\``;
    const value = row.default ? `\`${row.default}\`` : fallback(row);
    return `| ${names} | ${value} | ${row.description} |`;
  });
  return [
    '# Settings',
    '',
    'Signpost reads its settings from the environment. This page is made by `npm run generate` from the code.',
    'A secret may come from a file instead: `NAME_FILE` names it. `$NAME` in a default stands for another setting.',
    '',
    '| Setting | Default | What it is for |',
    '|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function resolve(setting: Setting<unknown>, env: Environment): string {
  const file = setting.secret ? env[`${setting.name}_FILE`] : undefined;
  const given = env[setting.name] || (file ? readSecret(`${setting.name}_FILE`, file) : undefined);
  if (given) return given;
  if (setting.optional) return '';
  if (setting.default === undefined) {
    const typo = misspelt(env).find(({ meant }) => meant === setting.name);
    throw new Error(typo ? `is required; ${typo.given} is set: is that a typing error?` : 'is required');
  }
  return setting.default.replace(/\$([A-Z_]+)/g, (_, name: string) => {
    return resolve(settingOf(name), env).replace(/\/+$/, '');
  });
}

const settingOf = (name: string): Setting<unknown> =>
  Object.values<Setting<unknown>>(settings).find(one => one.name === name)!;

function readSecret(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    // What is not a path may be the secret itself.
    const shown = /^[./]/.test(file) && !file.includes('://') ? file : 'something';
    throw new Error(
      `${name} names ${shown}, which cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

/** Names of the environment that look like a setting of ours which is not set. */
export function misspelt(
  env: Environment = process.env,
): readonly { readonly given: string; readonly meant: string }[] {
  const names = Object.values<Setting<unknown>>(settings).flatMap(({ name, secret }) =>
    secret ? [name, `${name}_FILE`] : [name],
  );
  const unset = names.filter(name => !env[name]);
  return Object.keys(env)
    .filter(given => !names.includes(given))
    .flatMap(given => {
      const meant = nearestName(given, unset);
      return meant === null ? [] : [{ given, meant }];
    });
}

function text(value: string): string {
  return value;
}

function engineUrl(engine: EngineName): (value: string) => string {
  return value => checkEngineAddress(engine, value);
}

function host(value: string): string {
  if (isIP(value) === 0 && !/^\w([\w.-]*\w)?$/.test(value))
    throw new Error(`"${value}" is neither an IP address nor the name of a host`);
  return value;
}

/** One line. A relay may put the address in where there is only a name; the doctor warns. */
function sender(value: string): string {
  if (/[\r\n]/.test(value)) throw new Error('has a line break: write it as Name <name@example.com>');
  return value;
}

/** With or without a port. */
function nameServers(value: string): readonly string[] {
  const found = list(value);
  for (const one of found) {
    const address = /^\[(.*)\](:\d+)?$/.exec(one)?.[1] ?? (isIP(one) ? one : one.replace(/:\d+$/, ''));
    if (isIP(address) === 0) throw new Error(`"${one}" is not the IP address of a name server`);
  }
  return found;
}

function count(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`"${value}" is not a whole number above 0`);
  return Number(value);
}

function codeLength(value: string): number {
  const length = count(value);
  if (length < 3 || length > 64) throw new Error(`"${value}" is not a whole number from 3 to 64`);
  return length;
}

function places(value: string): number {
  if (count(value) < 10) throw new Error(`"${value}" is less than 10`);
  return count(value);
}

/** What comes between two looks at the size of the log may lie above the bound, and must be little beside it. */
function logSize(value: string): number {
  if (count(value) < 64) throw new Error(`"${value}" is less than 64`);
  return count(value);
}

function rate(value: string): number {
  if (count(value) > 100_000) throw new Error(`"${value}" is more than 100000`);
  return count(value);
}

function keys(value: string): readonly Buffer[] {
  return list(value).map((text, index) => {
    const key = Buffer.from(text, 'base64');
    if (key.length !== 32) throw new Error(`key ${index + 1} is not 32 bytes in base64`);
    return key;
  });
}

function port(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw new Error(`"${value}" is not a port`);
  return Number(value);
}

function baseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error(`"${value}" is not an http or https address`);
  }
  return value.replace(/\/+$/, '');
}

function optionalUrl(value: string): string {
  return value === '' ? '' : baseUrl(value);
}

function ratio(value: string): number {
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(value)) throw new Error(`"${value}" is not a number from 0 to 1`);
  return Number(value);
}

/** Batches that were counted are remembered for eight days: the log must not be able to bring one back later. */
function days(value: string): number {
  if (!/^[1-7]$/.test(value)) throw new Error(`"${value}" is not a whole number from 1 to 7`);
  return Number(value);
}

function index(value: string): number {
  if (!/^\d{1,4}$/.test(value)) throw new Error(`"${value}" is not a whole number from 0 up`);
  return Number(value);
}

function windowKind(value: string): 'month' | 'day' {
  if (value !== 'month' && value !== 'day') throw new Error(`"${value}" is neither month nor day`);
  return value;
}

function poolerKind(value: string): 'none' | 'transaction' {
  if (value !== 'none' && value !== 'transaction')
    throw new Error(`"${value}" is neither none nor transaction`);
  return value;
}

function longSecret(value: string): string {
  if (value !== '' && value.length < 32) throw new Error('is shorter than 32 characters');
  return value;
}

function openOrClosed(value: string): 'open' | 'closed' {
  if (value !== 'open' && value !== 'closed') throw new Error(`"${value}" is neither open nor closed`);
  return value;
}

/** Without mail nobody could ever confirm an address. */
function onWhereNeeded(value: string, of: (name: string) => string): boolean {
  const sendsMail = of('SMTP_URL') !== '';
  if (value === '') return sendsMail && of('SIGN_UP') === 'open';
  if (value !== 'on' && value !== 'off') throw new Error(`"${value}" is neither on nor off`);
  if (value === 'on' && !sendsMail)
    throw new Error('is on, but no mail is set up: set SMTP_URL as well, or turn it off');
  return value === 'on';
}

function serveOrRefuse(value: string): 'serve' | 'refuse' {
  if (value !== 'serve' && value !== 'refuse') throw new Error(`"${value}" is neither serve nor refuse`);
  return value;
}

function smtp(value: string): string {
  if (value !== '' && !(URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol))) {
    throw new Error('is not an smtp:// or smtps:// address');
  }
  return value;
}

/** It is shown to everybody, in pages and in text files with a line for each field: so one line, and nothing around it. */
function contact(value: string): string {
  const isMail = /^[^\s@<>"',;:]+@[^\s@<>"',;:]+\.[^\s@<>"',;:]+$/.test(value);
  const isPage = /^https:\/\/[^\s<>"']+$/.test(value) && URL.canParse(value);
  if (value !== '' && !isMail && !isPage)
    throw new Error(`"${value}" is neither an e-mail address nor an https address`);
  return value;
}

function list(value: string): readonly string[] {
  return value
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '');
}

function ranges(value: string): readonly string[] {
  const found = list(value);
  addressRanges(found);
  return found;
}

function level(value: string): string {
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
  if (!levels.includes(value)) throw new Error(`"${value}" is not one of ${levels.join(', ')}`);
  return value;
}
