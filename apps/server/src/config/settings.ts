import * as parse from './parsers.ts';

/** A setting: its name in the environment, what it is for, and how its text is read. */
export type Setting = {
  readonly name: string;
  readonly description: string;
  /** Without a default the setting is required. `$NAME` stands for another setting. */
  readonly default?: string;
  /** A secret may also come from the file that NAME_FILE names, and is never printed. */
  readonly secret?: true;
  /** A secret that may be left out; its description says what does not work then. */
  readonly optional?: true;
  /** `readText` returns the text of another setting, for one that depends on it. */
  readonly parse: (text: string, readText: (name: string) => string) => unknown;
};

export type Settings = typeof settings;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The keys of the table are the keys of `Config`, and the types of its values are what `parse` returns. */
export const settings = {
  host: {
    name: 'HOST',
    description: 'Address to listen on. 0.0.0.0 listens on every interface.',
    default: '127.0.0.1',
    parse: parse.host,
  },
  apiPort: { name: 'API_PORT', description: 'Port of the API.', default: '8080', parse: parse.port },
  redirectPort: {
    name: 'REDIRECT_PORT',
    description:
      'Port for short links when `redirect` runs as its own process; `all` serves them on the port of the API.',
    default: '8081',
    parse: parse.port,
  },
  metricsPort: {
    name: 'METRICS_PORT',
    description:
      'Port of the Prometheus metrics (/metrics). Separate from the API so that it can stay private.',
    default: '9464',
    parse: parse.port,
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    description: 'Address at which clients reach the API. Links in errors and documents begin with it.',
    default: 'http://localhost:8080',
    parse: parse.baseUrl,
  },
  shortBaseUrl: {
    name: 'SHORT_BASE_URL',
    description:
      'What short links begin with. Every printed QR code contains it: choose it once and keep it short.',
    default: '$PUBLIC_URL',
    parse: parse.baseUrl,
  },
  shortHosts: {
    name: 'SHORT_HOSTS',
    description:
      'Further host names of the service, comma-separated: those of SHORT_BASE_URL, PUBLIC_URL and IMAGE_BASE_URL are known. Short links on a host that is named nowhere follow UNKNOWN_HOSTS.',
    default: '',
    parse: parse.hosts,
  },
  unknownHosts: {
    name: 'UNKNOWN_HOSTS',
    description:
      'What a request gets whose host is neither one of the service nor a domain of an account: `default` the same as the host of SHORT_BASE_URL, `refuse` the status 421. Hosts that were printed earlier belong into SHORT_HOSTS before it is set to `refuse`. A load balancer may always ask for /healthz.',
    default: 'default',
    parse: parse.oneOf('default', 'refuse'),
  },
  imageBaseUrl: {
    name: 'IMAGE_BASE_URL',
    description: 'What the addresses of public images begin with.',
    default: '$PUBLIC_URL/images',
    parse: parse.baseUrl,
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    description: 'PostgreSQL 15 or newer, as postgres://user:password@host:port/database.',
    secret: true,
    parse: parse.engineUrl('postgres'),
  },
  databaseDirectUrl: {
    name: 'DATABASE_DIRECT_URL',
    description:
      'PostgreSQL itself, if DATABASE_URL leads to a connection pooler: for `migrate`, `backup`, `restore` and `move-scans`. A redirect also recognizes its snapshot by it. Defaults to DATABASE_URL.',
    secret: true,
    optional: true,
    parse: (value, readText) =>
      value === '' ? readText('DATABASE_URL') : parse.engineUrl('postgres')(value),
  },
  redirectDatabaseUrl: {
    name: 'REDIRECT_DATABASE_URL',
    description:
      'DATABASE_URL of the redirects, if they have a user of their own, postgres://signpost_redirect:password@host:port/database: `migrate` creates that user, who reads a few tables and writes none. Nothing else reads it.',
    secret: true,
    optional: true,
    parse: parse.orEmpty(parse.engineUrl('postgres')),
  },
  databasePooler: {
    name: 'DATABASE_POOLER',
    description:
      'What DATABASE_URL leads to: `none` for PostgreSQL itself, `transaction` for PgBouncer or a similar pooler in transaction or session mode. With `transaction`, statements are not prepared, and the pooler has to set the time limit of single statements (`connect_query` in PgBouncer).',
    default: 'none',
    parse: parse.oneOf('none', 'transaction'),
  },
  databasePoolSize: {
    name: 'DATABASE_POOL_SIZE',
    description: 'Maximum number of connections to PostgreSQL per process.',
    default: '10',
    parse: parse.wholeNumber(),
  },
  databaseTimeoutMs: {
    name: 'DATABASE_TIMEOUT_MS',
    description: 'Time limit of a statement, and of the wait for a connection.',
    default: '5000',
    parse: parse.wholeNumber(),
  },
  redisUrl: {
    name: 'REDIS_URL',
    description:
      'Redis or Valkey 7 or newer, as redis://user:password@host:port/number. Required, except for `signpost solo`, which works without.',
    secret: true,
    optional: true,
    parse: parse.orEmpty(parse.engineUrl('redis')),
  },
  redisTimeoutMs: {
    name: 'REDIS_TIMEOUT_MS',
    description: 'How long a request waits for Redis before the process applies rate limits on its own.',
    default: '40',
    parse: parse.wholeNumber(),
  },
  natsUrl: {
    name: 'NATS_URL',
    description:
      'NATS 2.9 or newer with JetStream, as nats://user:password@host:port. Separate the servers of a cluster with commas. Required, except for `signpost solo`, which works without.',
    secret: true,
    optional: true,
    parse: parse.orEmpty(parse.engineUrl('nats')),
  },
  logNatsUrl: {
    name: 'LOG_NATS_URL',
    description:
      'NATS with the scan log, if it is not the one for everything else: used by `redirect` and `ingest`. All processes must reach the same log. Defaults to NATS_URL.',
    secret: true,
    optional: true,
    parse: (value, readText) => (value === '' ? readText('NATS_URL') : parse.engineUrl('nats')(value)),
  },
  busNatsUrl: {
    name: 'BUS_NATS_URL',
    description:
      'NATS for everything except the scan log: changes of links, counts of requests that were not redirected, and the queue of webhooks. All processes must reach the same one. Defaults to NATS_URL.',
    secret: true,
    optional: true,
    parse: (value, readText) => (value === '' ? readText('NATS_URL') : parse.engineUrl('nats')(value)),
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    description:
      'ClickHouse 24.11 or newer for the scans, as http://user:password@host:8123/database. Without it PostgreSQL stores the scans. It stays as it is once there are scans.',
    secret: true,
    optional: true,
    parse: parse.orEmpty(parse.engineUrl('clickhouse')),
  },
  analyticsTimeoutMs: {
    name: 'ANALYTICS_TIMEOUT_MS',
    description: 'Time limit of a query about scans; past it the caller gets 504 `timeout`.',
    default: '10000',
    parse: parse.wholeNumber(),
  },
  queriesPerAccount: {
    name: 'QUERIES_PER_ACCOUNT',
    description:
      'Queries about scans that one account may run at a time, in all processes and both modes together; 2 at the most where PostgreSQL stores the scans. More queries wait, then get 429.',
    default: '4',
    parse: parse.wholeNumber(),
  },
  exportsPerAccount: {
    name: 'EXPORTS_PER_ACCOUNT',
    description: 'Exports that one account may run at a time, in all processes and both modes together.',
    default: '2',
    parse: parse.wholeNumber(),
  },
  exportMinKibPerSecond: {
    name: 'EXPORT_MIN_KIB_PER_SECOND',
    description:
      'Minimum average speed, in KiB per second, at which a client has to read an export. A slower export is aborted.',
    default: '16',
    parse: parse.wholeNumber(),
  },
  exportStallSeconds: {
    name: 'EXPORT_STALL_SECONDS',
    description:
      'How far a client may fall behind that speed before its export is aborted, in addition to 4 MiB for network buffers.',
    default: '30',
    parse: parse.wholeNumber(),
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    description:
      'Addresses or CIDRs of the proxies whose X-Forwarded-For header is trusted, separated by commas. None by default.',
    default: '',
    parse: parse.cidrs,
  },
  anonymousRequestsPerMinute: {
    name: 'ANONYMOUS_REQUESTS_PER_MINUTE',
    description: 'Requests without a valid key that one address (IPv6: /64) may make per minute and process.',
    default: '60',
    parse: parse.wholeNumber(),
  },
  linksInMemory: {
    name: 'LINKS_IN_MEMORY',
    description: 'Short links that a redirect process keeps in memory; about 170 bytes each.',
    default: '200000',
    parse: parse.wholeNumber(),
  },
  unknownCodesPerMinute: {
    name: 'UNKNOWN_CODES_PER_MINUTE',
    description: 'Unknown short codes that one address (IPv6: /64) may request per minute and process.',
    default: '60',
    parse: parse.wholeNumber(),
  },
  minCustomCodeLength: {
    name: 'MIN_CUSTOM_CODE_LENGTH',
    description:
      'Minimum length of a custom short code, 3 to 64. There are few short ones: a larger number keeps them back. Existing codes stay, and imports by the operator ignore it.',
    default: '3',
    parse: parse.wholeNumber(3, 64),
  },
  publicImagesPerMinute: {
    name: 'PUBLIC_IMAGES_PER_MINUTE',
    description:
      'Public images that are rendered for one address (IPv6: /64) per minute and process; a PNG larger than 1024 pixels counts as four. Cached images are always served.',
    default: '120',
    parse: parse.wholeNumber(),
  },
  staleLinks: {
    name: 'STALE_LINKS',
    description:
      'What a redirect does with a known code while it has no valid lease and cannot reach PostgreSQL: `serve` redirects to the last known target, `refuse` asks the visitor to try again.',
    default: 'serve',
    parse: parse.oneOf('serve', 'refuse'),
  },
  scanShards: {
    name: 'SCAN_SHARDS',
    description:
      'Number of shards of the scan log, 1 to 256, each a stream of NATS. The scans of an account are in one of them; `signpost admin set-spread` uses more. The same for all redirects. Ingest reads every stream that exists, even beyond this number.',
    default: '1',
    parse: parse.wholeNumber(1, 256),
  },
  scanLogReplicas: {
    name: 'SCAN_LOG_REPLICAS',
    description: 'Replicas of the scan log: 1, or 3 on a NATS cluster.',
    default: '1',
    parse: parse.wholeNumber(),
  },
  scanLogDays: {
    name: 'SCAN_LOG_DAYS',
    description:
      'Retention of the scan log in days, 1 to 7. Ingest may be down for as long, if SCAN_LOG_MAX_MB has room for the scans of that time.',
    default: '7',
    // Ids of counted batches are kept for eight days: the log must not be able to bring one back later.
    parse: parse.wholeNumber(1, 7),
  },
  scanLogMaxMb: {
    name: 'SCAN_LOG_MAX_MB',
    description:
      'Maximum size of each shard of the scan log, 64 or more; the space is not reserved. Set it alike for redirects and ingest. From 70 % on, ingest removes the oldest scans that it has counted and stored. Uncounted scans stay: while they fill the log, redirects spool. The default holds a week of 90 scans per second; `npm run capacity` calculates it.',
    default: '8192',
    // Scans that arrive between two size checks may exceed the bound, and must be few compared to it.
    parse: parse.wholeNumber(64),
  },
  spoolDir: {
    name: 'SPOOL_DIR',
    description:
      'Directory for scans that the log did not accept in time. Each process has its own subdirectory in it. `signpost solo` has its scan log there.',
    default: '.spool',
    parse: parse.text,
  },
  spoolMaxMb: {
    name: 'SPOOL_MAX_MB',
    description:
      'Maximum size of the spool of a process, and of the scan log of `signpost solo`. Beyond it scans are held in memory (SPOOL_MEMORY_MB). The disk should have 16 MB more: a process keeps them in reserve for when the disk is full.',
    default: '1024',
    parse: parse.wholeNumber(),
  },
  spoolMemoryMb: {
    name: 'SPOOL_MEMORY_MB',
    description:
      'Memory for scans that neither the scan log nor the disk takes, because the disk is full or SPOOL_MAX_MB is reached. They are stored once there is room. Beyond it scans are lost, counted and logged; so are those in memory if the process stops, and a killed process loses them uncounted.',
    default: '32',
    parse: parse.wholeNumber(),
  },
  visitorWindow: {
    name: 'VISITOR_WINDOW',
    description: 'How long a visitor counts once: a calendar `month` or `day` in UTC.',
    default: 'month',
    parse: parse.oneOf('month', 'day'),
  },
  scanRetentionMonths: {
    name: 'SCAN_RETENTION_MONTHS',
    description:
      'How many whole months before the current one (in UTC) scans are kept, for all accounts. Older months are removed within a day, which cannot be undone; totals and sums by month stay. At least 2. Default: scans are kept until their code is deleted.',
    default: '',
    parse: parse.optional(parse.wholeNumber(2, 1200)),
  },
  auditDays: {
    name: 'AUDIT_DAYS',
    description: 'How many days events of the audit log are kept.',
    default: '400',
    parse: parse.wholeNumber(1, 36_500),
  },
  geoipFiles: {
    name: 'GEOIP_FILES',
    description:
      'Your own MMDB files for looking up the location of an address, separated by commas. Default: DB-IP City Lite, which is included.',
    default: '',
    parse: parse.list,
  },
  imageCacheMb: {
    name: 'IMAGE_CACHE_MB',
    description: 'Memory for rendered images; 32 holds about 3,000 images of 512 pixels.',
    default: '32',
    parse: parse.wholeNumber(),
  },
  authSecret: {
    name: 'AUTH_SECRET',
    description:
      'At least 32 random characters that sign the sessions of the dashboard; changing it signs everybody out. Without it the dashboard is off, and everything else works.',
    secret: true,
    optional: true,
    parse: parse.longSecret,
  },
  signUp: {
    name: 'SIGN_UP',
    description:
      'Whether anybody may sign up to the dashboard: `open` or `closed`. Either way the first operator is created with a token or a command.',
    default: 'closed',
    parse: parse.oneOf('open', 'closed'),
  },
  defaultPlan: {
    name: 'DEFAULT_PLAN',
    description:
      'Plan of new accounts, where the command that creates one names none. Without it: `enterprise` where sign-up is closed, `free` where it is open. An operator starts with enterprise.',
    default: '',
    parse: (text, other) => text || (other('SIGN_UP') === 'open' ? 'free' : 'enterprise'),
  },
  sessionDays: {
    name: 'SESSION_DAYS',
    description: 'Days after which an unused dashboard session expires.',
    default: '14',
    parse: parse.wholeNumber(),
  },
  sessionCallsPerMinute: {
    name: 'SESSION_CALLS_PER_MINUTE',
    description: 'Dashboard requests that one user may make per minute and process.',
    default: '1200',
    parse: parse.wholeNumber(),
  },
  signInAttempts: {
    name: 'SIGN_IN_ATTEMPTS',
    description:
      'Wrong passwords in 15 minutes for one e-mail address from one network address (IPv6: /64). Four times as many for all e-mail addresses from one network address, ten times as many for one e-mail address from everywhere. A browser that has signed in before has its own budget, which other clients cannot use up.',
    default: '10',
    parse: parse.wholeNumber(),
  },
  signUpsPerHour: {
    name: 'SIGN_UPS_PER_HOUR',
    description:
      'Sign-ups per hour from one network address (IPv6: /64); the same limit holds for password reset requests.',
    default: '20',
    parse: parse.wholeNumber(),
  },
  accountsPerUser: {
    name: 'ACCOUNTS_PER_USER',
    description:
      'How many accounts a person may own, for example one for each client of an agency. Accounts to which they were invited do not count.',
    default: '5',
    parse: parse.wholeNumber(),
  },
  smtpUrl: {
    name: 'SMTP_URL',
    description:
      'Mail server, as smtp://user:password@host:587 or smtps://…:465. With it users confirm their e-mail address, can reset their password, and are notified of new keys, passwords, browsers and suspensions. Without it no address is confirmed, and an operator creates password reset links with the admin command `reset-link`.',
    secret: true,
    optional: true,
    parse: parse.smtpUrl,
  },
  mailFrom: {
    name: 'MAIL_FROM',
    description: 'Sender of mail.',
    default: 'Signpost <signpost@localhost>',
    parse: parse.mailSender,
  },
  requireVerifiedEmail: {
    name: 'REQUIRE_VERIFIED_EMAIL',
    description:
      'Whether the short links of an account created by sign-up work only after its owner has confirmed the e-mail address: `on` or `off`. By default it is on if SIGN_UP is open and SMTP_URL is set. Accounts created by the operator never wait. Turning it off does not release accounts that already wait: see the admin command `confirm-email`.',
    default: '',
    parse: requireVerifiedEmail,
  },
  newAccountCodesPerDay: {
    name: 'NEW_ACCOUNT_CODES_PER_DAY',
    description:
      'QR codes that an account created by sign-up may create in the dashboard in any 24 hours, as long as this is set. Codes created with API keys and test codes do not count. No limit by default.',
    default: '',
    parse: parse.optional(parse.wholeNumber()),
  },
  abuseContact: {
    name: 'ABUSE_CONTACT',
    description:
      'Where to report abused codes: an e-mail address, or the https address of a page. None by default; set it if anybody may sign up.',
    default: '',
    parse: parse.contact,
  },
  webhookSecretKeys: {
    name: 'WEBHOOK_SECRET_KEYS',
    description:
      'Keys that encrypt the signing secrets of webhooks: 32 bytes in base64 each, separated by commas (`openssl rand -base64 32`). The first encrypts, all decrypt: to rotate, put a new key in front and keep the old ones. Without a key no webhook can be created.',
    default: '',
    secret: true,
    parse: parse.encryptionKeys,
  },
  webhookAllowCidrs: {
    name: 'WEBHOOK_ALLOW_CIDRS',
    description:
      'Private addresses or CIDRs that webhooks may be sent to, separated by commas. Anybody who can create a webhook can then reach them from this server. None by default.',
    default: '',
    parse: parse.cidrs,
  },
  webhookDnsServers: {
    name: 'WEBHOOK_DNS_SERVERS',
    description:
      'Name servers that resolve the hosts of webhooks and our own, separated by commas. Default: those of the system.',
    default: '',
    parse: parse.nameServers,
  },
  webhookConcurrency: {
    name: 'WEBHOOK_CONCURRENCY',
    description:
      'Webhooks that a process sends at the same time, 10 or more. One endpoint gets at most a tenth of them.',
    default: '100',
    parse: parse.wholeNumber(10),
  },
  webhookHostRate: {
    name: 'WEBHOOK_HOST_RATE',
    description:
      'Attempts per second that one account may make at one host, with all its webhooks and in all processes. All accounts together may make ten times as many. A plan can have its own rate.',
    default: '50',
    parse: parse.wholeNumber(1, 100_000),
  },
  webhookQueueMax: {
    name: 'WEBHOOK_QUEUE_MAX',
    description:
      'Webhooks of all accounts that wait in NATS for their first attempt, about 1 KB each. More wait in PostgreSQL.',
    default: '200000',
    parse: parse.wholeNumber(),
  },
  webhookQueuePerAccount: {
    name: 'WEBHOOK_QUEUE_PER_ACCOUNT',
    description:
      'Webhooks of one account that wait in NATS for their first attempt. More wait in PostgreSQL.',
    default: '10000',
    parse: parse.wholeNumber(),
  },
  webhooksPerAccount: {
    name: 'WEBHOOKS_PER_ACCOUNT',
    description: 'Webhooks that an account may have in each mode.',
    default: '10',
    parse: parse.wholeNumber(),
  },
  traceEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    description: 'OpenTelemetry collector that receives traces, as http://host:4318. Empty: no traces.',
    default: '',
    parse: parse.optionalUrl,
  },
  traceHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    description:
      'Headers of every request to the collector, such as its API key: key=value pairs separated by commas, with percent-encoded values (`authorization=Bearer%20abc`).',
    secret: true,
    optional: true,
    parse: parse.otlpHeaders,
  },
  traceRatio: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    description: 'Share of requests and scan batches that is traced, from 0 to 1.',
    default: '0.1',
    parse: parse.ratio,
  },
  shutdownTimeoutMs: {
    name: 'SHUTDOWN_TIMEOUT_MS',
    description:
      'How long a process takes at most after SIGTERM to finish requests in flight, and a redirect to send its spooled scans.',
    default: '8000',
    parse: parse.wholeNumber(),
  },
  logLevel: {
    name: 'LOG_LEVEL',
    description: 'fatal, error, warn, info, debug, trace or silent.',
    default: 'info',
    parse: parse.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Without mail nobody could ever confirm an address. */
function requireVerifiedEmail(value: string, readText: (name: string) => string): boolean {
  const sendsMail = readText('SMTP_URL') !== '';
  if (value === '') return sendsMail && readText('SIGN_UP') === 'open';
  const isOn = parse.oneOf('on', 'off')(value) === 'on';
  if (isOn && !sendsMail)
    throw new Error('is on, but no mail is set up: set SMTP_URL as well, or turn it off');
  return isOn;
}
