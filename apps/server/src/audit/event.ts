import type { Operation } from '@signpost/contract';
import type { AuditEvent, AuditedCall } from '../http/audited.ts';
import type { Mode } from '../kernel/caller.ts';
import { idPrefixes, type Uuid } from '../kernel/ids.ts';

/** Whose logs an event belongs to: one account's, or those of all accounts of a person. */
export type Place = { readonly accountId: Uuid; readonly mode: Mode } | { readonly userId: Uuid };

const maxSubjects = 500;
const maxHosts = 20;

/** Null where nothing changed. */
export function toEvent({ operation, request, response, notes }: AuditedCall): AuditEvent | null {
  const { body, params, caller, person } = request as Sent;
  const answer = isRecord(response) ? response : {};
  if (notes.nothing || (isRecord(body) && body.dry_run === true)) return null;
  const count = bulkCounts.map(name => answer[name]).find(value => typeof value === 'number');
  if (count === 0) return null;
  const isByOperator = operation.authScheme === 'operatorSession';
  const actorId = caller?.via.id ?? person?.userId ?? notes.userId ?? null;
  const subjects = notes.subjects ?? [params?.id, answer.id].filter(isId);
  const hosts = notes.hosts ?? findHosts(body);
  const fields = operation.method === 'PATCH' && isRecord(body) ? Object.keys(body).filter(isNoSecret) : [];
  return {
    action: operation.id,
    actorKind: isByOperator ? 'operator' : (caller?.via.kind ?? (actorId ? 'user' : 'nobody')),
    actorId: isByOperator ? null : actorId,
    requestId: request.id,
    subjects: [...new Set(subjects)].slice(0, maxSubjects),
    detail: {
      ...(fields.length > 0 ? { fields } : {}),
      ...(hosts.length > 0 ? { hosts: hosts.slice(0, maxHosts) } : {}),
      ...(count === undefined ? {} : { count }),
    },
  };
}

/** Null where no account is concerned. */
export function toPlace({ operation, request, notes }: AuditedCall): Place | null {
  const { caller, person } = request as Sent;
  if (notes.accountId) return { accountId: notes.accountId, mode: 'live' };
  if (notes.userId) return { userId: notes.userId };
  if (operation.authScheme === 'operatorSession') return null;
  if (isAboutPerson(operation)) return person ? { userId: person.userId } : null;
  return caller ? { accountId: caller.accountId, mode: isOfOneMode(operation) ? caller.mode : 'live' } : null;
}

/** Operations about a person alone: sign-in, and the profile. */
const isAboutPerson = ({ path }: Operation) => /^\/(auth\/|account\/(me|email)(\/|$))/.test(path);

/** Codes and what belongs to them; keys, people and settings concern both modes. */
const isOfOneMode = ({ path }: Operation) =>
  (path.startsWith('/v1/') && !path.startsWith('/v1/accounts')) || /^\/account\/(views|qrcodes)/.test(path);

const bulkCounts = ['created', 'updated', 'deleted', 'replayed'] as const;

type Sent = Pick<AuditedCall['request'], 'id' | 'caller' | 'person'> & {
  readonly body: unknown;
  readonly params: Readonly<Record<string, unknown>> | undefined;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const idPattern = new RegExp(`^(${idPrefixes.join('|')})_[0-9a-z]{26}$`);

/** No external id, which is a name that somebody gave. */
const isId = (value: unknown): value is string => typeof value === 'string' && idPattern.test(value);

const isNoSecret = (name: string) => !/password|token/.test(name);

/** Where codes and webhooks lead, without the path, which may say more. */
function findHosts(body: unknown): readonly string[] {
  if (!isRecord(body)) return [];
  const urls = [body.destination_url, body.destination, body.url, body.fallback_url];
  return [...new Set(urls.flatMap(toHost))];
}

function toHost(url: unknown): readonly string[] {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  return parsed ? [parsed.hostname] : [];
}
