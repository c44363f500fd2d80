import { access, constants, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type EngineName,
  engineWords,
  type Place,
  placesOf,
  placesWords,
  placeWords,
} from '../kernel/engine-address.ts';
import { OutOfTime } from '../kernel/within.ts';
import { refusalOf } from './clickhouse.ts';
import { away, type Cause, wrong } from './fault-cause.ts';
import { identifyMs, identifyServer, isPassing } from './identify-server.ts';
import { natsCause } from './jetstream-faults.ts';
import { MigrationsDiffer } from './migration-files.ts';
import { UndeclaredPooler } from './pooler.ts';

/** Why an engine cannot be used, in words for an operator: the setting, what was seen, and what to do. Never a password. */
export type EngineFault = Cause & {
  readonly engine: EngineName;
  readonly sentence: string;
  /** Where another server on this port would look the same: `away` until `identifyFault` has looked. */
  readonly isUnclear?: true;
};

/** Ends a command or a start. */
export class EngineFaultError extends Error {
  constructor(faults: readonly EngineFault[], options?: ErrorOptions) {
    super(faults.map(({ sentence }) => sentence).join('\n'), options);
    this.name = 'EngineFaultError';
  }
}

/** Explains what an engine's driver threw, and asks what else may answer there. Null where the engine is not at fault. */
export async function explainFault(
  engine: EngineName,
  address: string,
  error: unknown,
): Promise<EngineFault | null> {
  const fault = await explainError(engine, address, error);
  return fault ? identifyFault(fault, address) : null;
}

/** Explains what an engine's driver threw, by that alone. */
export async function explainError(
  engine: EngineName,
  address: string,
  error: unknown,
): Promise<EngineFault | null> {
  const root = rootOf(error);
  if (root instanceof MigrationsDiffer) return null;
  if (engine === 'clickhouse' && address.startsWith('chdb:'))
    return faultOf(engine, await chdbCause(address, root));
  const at = nameAt(engine, address);
  const told = engineCauses[engine](root, at) ?? tlsCause(engine, root, at);
  if (told !== null) return faultOf(engine, told);
  const network = networkCause(engine, address, root, at);
  if (network === 'unclear') return { ...faultOf(engine, notAnswering(engine, at)), isUnclear: true };
  return faultOf(engine, network ?? unknownCause(root, at));
}

/** Where the fault is unclear, finds out whether another server answers there. */
export async function identifyFault(fault: EngineFault, address: string): Promise<EngineFault> {
  if (!fault.isUnclear) return fault;
  const { engine } = fault;
  const other = await otherServerCause(engine, address);
  return faultOf(engine, other ?? notAnswering(engine, nameAt(engine, address)));
}

const faultOf = (engine: EngineName, cause: Cause): EngineFault => ({
  engine,
  ...cause,
  sentence: `${engineWords[engine].setting}: ${cause.seen}. ${cause.cure}`,
});

const nameAt = (engine: EngineName, address: string) =>
  `${engineWords[engine].name} at ${placesWords(engine, address)}`;

function unknownCause(error: unknown, at: string): Cause {
  const words = error instanceof Error ? error.message || error.name : String(error);
  return away(`${at} says: ${firstSentence(words)}`, 'Look at its log, and try again.');
}

/** By what the engine itself says. Null where it says nothing that is known. */
const engineCauses: Readonly<Record<EngineName, (error: unknown, at: string) => Cause | null>> = {
  postgres: postgresCause,
  redis: redisCause,
  nats: (error, at) => slowNatsCause(error, at) ?? natsCause(error, at),
  clickhouse: clickhouseCause,
};

function postgresCause(error: unknown, at: string): Cause | null {
  if (error instanceof UndeclaredPooler) return wrong(error.seen, error.cure);
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const said = `${at} says: ${message}`;
  if (code === '3D000')
    return wrong(
      said,
      'Create it (`createdb NAME`), or put the right name behind the last / of DATABASE_URL.',
    );
  if (/^28/.test(code))
    return wrong(
      said,
      'Put the right user and password into DATABASE_URL, or let them in by pg_hba.conf on the server.',
    );
  if (/^SASL|password must be a string/.test(message))
    return wrong(
      `${at} asks for a password, and there is none that fits`,
      'Put the user and the password into DATABASE_URL.',
    );
  if (code === '42501') return wrong(said, 'Grant it to the user of DATABASE_URL, or make it the owner.');
  if (/^(08P01|0A000|22023|42704)$/.test(code) && /parameter/.test(message))
    return wrong(
      said,
      'Take the parameter out of DATABASE_URL; behind a pooler set DATABASE_POOLER=transaction.',
    );
  if (/does not support SSL/.test(message))
    return wrong(`${at} does not speak TLS`, 'Take `sslmode` out of DATABASE_URL, or turn TLS on there.');
  if (/^53/.test(code))
    return away(
      said,
      'Lower DATABASE_POOL_SIZE, or raise `max_connections` there, and look at its memory and disk.',
    );
  if (/^(08|57|25006)/.test(code)) return away(said, 'Wait until it has started, and look at its log.');
  return null;
}

function redisCause(error: unknown, at: string): Cause | null {
  const { message = '' } = (error ?? {}) as { message?: string };
  const said = `${at} says: ${message}`;
  if (/^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|Client sent AUTH))/.test(message))
    return wrong(
      said,
      'Put the right user and password into REDIS_URL, as redis://user:password@host:6379; for `requirepass` leave the user empty.',
    );
  if (/DB index|^ERR .*SELECT is not allowed/.test(message))
    return wrong(
      said,
      'Put a database that exists behind the last / of REDIS_URL: 0, or a number below `databases` there.',
    );
  if (/^DENIED/.test(message))
    return wrong(
      `${at} is in protected mode`,
      'Set `bind` and a password there, and put the password into REDIS_URL.',
    );
  if (/^(LOADING|MASTERDOWN|READONLY|MISCONF|BUSY|CLUSTERDOWN|TRYAGAIN|ERR max number)/.test(message))
    return away(said, 'Wait until it has started, and look at its log.');
  if (/^MOVED|^CROSSSLOT/.test(message))
    return wrong(said, 'It is a cluster, which Signpost does not use: take a single Redis.');
  return null;
}

/** A busy server, or a slow network, and not a wrong password; the driver has one error for both. */
function slowNatsCause(error: unknown, at: string): Cause | null {
  const { message = '' } = (error ?? {}) as { message?: string };
  return /^Authentication Timeout/i.test(message)
    ? away(`${at} says: ${message}`, 'Look at its load and its log, and try again.')
    : null;
}

function clickhouseCause(error: unknown, at: string): Cause | null {
  const refusal = refusalOf(error);
  const { message = '' } = (error ?? {}) as { message?: string };
  if (/Port \d+ is for clickhouse/.test(message))
    return wrong(
      `${at} is its port for native clients`,
      'Put the port of its HTTP interface into CLICKHOUSE_URL: 8123, or 8443 with https.',
    );
  if (refusal === null) return null;
  const said = `${at} says: ${firstSentence(message) || refusal.type}`;
  if ([192, 193, 194, 291, 497, 516].includes(refusal.code))
    return wrong(
      said,
      'Put the right user and password into CLICKHOUSE_URL, and grant the user its database.',
    );
  if (refusal.code === 81)
    return wrong(
      said,
      'Create it (`create database NAME`), or put the right name behind the last / of CLICKHOUSE_URL.',
    );
  return away(said, 'Look at its log, and try again.');
}

const firstSentence = (text: string) =>
  text
    .split('\n')[0]!
    .slice(0, 200)
    .replace(/\.\s*$/, '');

async function chdbCause(address: string, error: unknown): Promise<Cause> {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  if (code === 'ERR_MODULE_NOT_FOUND' || /Cannot find (package|module)/.test(message))
    return wrong(
      'the engine inside the process, chdb, is not installed',
      'Run `npm ci` without `--omit=optional` (the image `small` has it), or name a ClickHouse server.',
    );
  if (error instanceof OutOfTime || (error instanceof Error && error.name === 'TimeoutError'))
    return away(
      'the engine inside the process does not answer in time',
      'Look at the load of this machine, and at the space on its disk.',
    );
  if (code !== 'CHDB_CONNECTION')
    return away(
      `the engine inside the process says: ${firstSentence(message || String(error))}`,
      'Look at the lines above, and try again.',
    );
  const [place] = placesOf('clickhouse', address);
  const dir = placeWords(place!);
  const isWritable = await access(dir, constants.W_OK | constants.X_OK).then(
    async () => (await stat(dir)).isDirectory(),
    () => false,
  );
  if (!isWritable)
    return wrong(
      `the directory ${dir} cannot be written by this user`,
      'Create it and let this user own it, or name another in CLICKHOUSE_URL.',
    );
  const holder = await lockHolder(join(dir, 'status'));
  if (holder === null)
    return wrong(
      `the engine inside the process says: ${firstSentence(message)}`,
      `Look at the line of the engine above, and at the space on its disk. \`Code: 76\` means that another process has it open, maybe in another container: ${oneAtATime}`,
    );
  return wrong(
    `the directory ${dir} is in use by another process (PID ${holder})`,
    `Only one process at a time can open it: ${oneAtATime}`,
  );
}

const oneAtATime =
  'stop the running `signpost all`, run this, and start it again. With a ClickHouse server (http://…) both run side by side.';

/** The process that has locked a file, as far as Linux shows it. The engine's own error does not say why it could not open. */
async function lockHolder(path: string): Promise<string | null> {
  try {
    const [{ ino }, locks] = await Promise.all([stat(path), readFile('/proc/locks', 'utf8')]);
    return new RegExp(`WRITE (\\d+) [\\da-f]+:[\\da-f]+:${ino} `).exec(locks)?.[1] ?? null;
  } catch {
    // No such file, or another system.
    return null;
  }
}

function tlsCause(engine: EngineName, error: unknown, at: string): Cause | null {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code))
    return wrong(
      `${at} shows a certificate that is not trusted (${code})`,
      'Renew it, use the name that it is for, or name its authority in NODE_EXTRA_CA_CERTS.',
    );
  if (/^ERR_SSL|EPROTO/.test(code) || /tls|ssl routines/i.test(message))
    return wrong(
      `${at} does not speak TLS as ${engineWords[engine].setting} asks (${code || message})`,
      `Turn TLS on there, or write the address without it: ${engineWords[engine].form}.`,
    );
  return null;
}

/** `unclear` where another server on this port would look the same. */
function networkCause(
  engine: EngineName,
  address: string,
  error: unknown,
  at: string,
): Cause | 'unclear' | null {
  const { code = '', message = '', name = '' } = (error ?? {}) as NodeJS.ErrnoException;
  const { setting } = engineWords[engine];
  const place = placesWords(engine, address);
  const inContainer = 'From a container, localhost is the container itself.';
  if (code === 'ECONNREFUSED')
    return away(
      `nothing listens at ${place} (connection refused)`,
      `Start it, or correct ${setting}. ${inContainer}`,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return away(
      `no address is found for the host of ${place}`,
      `Correct the host in ${setting}, or its entry in DNS.`,
    );
  if (code === 'ENOENT')
    return away(`there is no socket at ${place}`, `Start the server, or correct the path in ${setting}.`);
  if (code === 'EACCES' || code === 'EPERM')
    return wrong(`this user may not connect to ${place}`, `Let it, or correct ${setting}.`);
  if (/^E(HOST|NET)(UNREACH|DOWN)$/.test(code))
    return away(`no network leads to ${place} (${code})`, `Correct ${setting}, or the network.`);
  if (code === 'ETIMEDOUT' && engine !== 'nats')
    return away(`${at} does not answer`, `Correct ${setting}, or open the firewall in between.`);
  const isBroken = /^(ECONN|EPIPE|HPE_|UND_ERR|NR_CLOSED|ETIMEDOUT)/.test(code) || error instanceof OutOfTime;
  // From their beginning: our own errors may name a migration that has one of these words.
  const isSaid =
    /^(timeout|query read timeout|command timed out|connection (terminated|ended|is closed|closed|disconnected|timeout)|closed|socket (hang|closed|timeout)|unknown RESP|protocol error|client (has encountered|was closed)|read ECONN)/i.test(
      message,
    );
  if (isBroken || isSaid || /^(Timeout|Connection|Parser)Error$/.test(name)) return 'unclear';
  // Whatever is behind a web address and does not speak ClickHouse's language comes as plain text.
  return engine === 'clickhouse' ? 'unclear' : null;
}

const notAnswering = (engine: EngineName, at: string): Cause =>
  away(
    `${at} accepts connections and does not answer in time`,
    `Look at its log and its load; if that is not ${engineWords[engine].name}, correct ${engineWords[engine].setting}.`,
  );

/** Something took the connection and did not speak as the engine does. Null where it may be the engine all the same. */
async function otherServerCause(engine: EngineName, address: string): Promise<Cause | null> {
  const places = placesOf(engine, address);
  const [pinged, ...causes] = await Promise.all([
    engine === 'clickhouse' ? pingStatus(address) : null,
    ...places.map(place => otherServerAt(engine, place)),
  ]);
  if (pinged === 'ok') return null;
  if (pinged !== null && isPassing(pinged))
    return away(
      `the proxy at ${placesWords(engine, address)} answers ${pinged}`,
      'Start the ClickHouse behind it, and look at its log.',
    );
  return causes.find(cause => cause !== null) ?? null;
}

async function otherServerAt(engine: EngineName, place: Place): Promise<Cause | null> {
  const { name, setting } = engineWords[engine];
  const where = placeWords(place);
  const found = await identifyServer(place);
  if (found === null || found === name) return null;
  if (found === 'a server that wants TLS')
    return wrong(`what listens at ${where} wants TLS`, tlsCure[engine]);
  return wrong(
    `what answers at ${where} is ${found}, not ${name}`,
    `Put the host and port of ${name} into ${setting}.`,
  );
}

const tlsCure: Readonly<Record<EngineName, string>> = {
  postgres: 'Add ?sslmode=require to DATABASE_URL.',
  redis: 'Begin REDIS_URL with rediss://.',
  nats: 'Begin NATS_URL with tls://.',
  clickhouse: 'Begin CLICKHOUSE_URL with https://.',
};

/** What is behind a web address answers to ClickHouse's own probe, without a user: 'ok' where it is ClickHouse. */
async function pingStatus(address: string): Promise<number | 'ok' | null> {
  const url = new URL('/ping', address);
  url.username = '';
  url.password = '';
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(identifyMs), redirect: 'manual' });
    return (await response.text()) === 'Ok.\n' ? 'ok' : response.status;
  } catch {
    return null;
  }
}

/** The error that the driver met, below what was wrapped around it; the first of several addresses that were tried. */
function rootOf(error: unknown, depth = 0): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0], depth + 1);
  const { cause } = (error ?? {}) as { cause?: unknown };
  const isWrapped = cause instanceof Error && depth < 5 && !hasOwnWords(error);
  return isWrapped ? rootOf(cause, depth + 1) : error;
}

/** NATS' and chDB's errors say more than what caused them. */
const hasOwnWords = (error: unknown) =>
  error instanceof Error && /^(JetStream|Chdb|Authorization|Permission)/.test(error.constructor.name);
