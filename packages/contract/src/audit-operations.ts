import { AuditFeed, AuditFeedQuery } from './audit.ts';
import type { Operation } from './operation.ts';

export const auditOperations = {
  listAuditEvents: {
    id: 'listAuditEvents',
    method: 'GET',
    path: '/v1/audit-events',
    authScheme: 'apiKey',
    permission: 'audit:read',
    tag: 'Account',
    summary: 'List audit events',
    description:
      'Returns who changed what in the mode of the key, oldest first, so that a program can follow it: send `next_cursor` as `after`. Keys, people and settings of the account belong to live mode. With `Accept: application/x-ndjson` the response has one event per line, each with its `cursor`. An event has ids, hosts and names of fields; names of codes and people are those of today, and are gone with what they name.',
    query: AuditFeedQuery,
    success: { status: 200, description: 'The next events.', schema: AuditFeed },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
