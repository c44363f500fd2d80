import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** Links and invitations that were used or ended after the backup was taken must not work again; people ask for new ones. */
export async function endRestoredLinks(db: Database): Promise<void> {
  await db.query(endLinks);
  await db.query(endInvitations);
  await db.query(endOperatorTokens);
}

const endLinks = sql('restore-end-links', 'delete from email_tokens');
const endInvitations = sql('restore-end-invitations', 'delete from invitations');
const endOperatorTokens = sql('restore-end-operator-tokens', 'delete from operator_tokens');
