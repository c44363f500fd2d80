import { sql } from '../platform/postgres/postgres.ts';

export const lockAccount = sql(
  'lock-account-for-share-links',
  'select id from accounts where id = $1 and closed_at is null for no key update',
);

/** So that a code or tag that is deleted at the same time takes the link with it. */
export const lockCode = sql(
  'lock-code-for-share-link',
  `select id from qr_codes where id = $1 and status <> 'deleted' for key share`,
);
export const lockTag = sql('lock-tag-for-share-link', 'select id from tags where id = $1 for key share');

export const countLinks = sql(
  'count-share-links',
  'select count(*) as count from share_links where account_id = $1 and mode = $2',
);

export const insertLink = sql(
  'insert-share-link',
  `insert into share_links (id, account_id, mode, token_hash, hint, qr_code_id, tag_id, title, sections, days,
                            start_date, end_date, timezone, expires_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
);

const columns = `s.id, s.qr_code_id, s.tag_id, t.name as tag, s.title, s.sections, s.days, s.start_date, s.end_date,
          s.timezone, s.expires_at, s.hint, s.created_at`;

export const listLinks = sql(
  'list-share-links',
  `select ${columns} from share_links s left join tags t on t.id = s.tag_id
    where s.account_id = $1 and s.mode = $2 and ($3::uuid is null or s.qr_code_id = $3)
      and ($4::uuid is null or s.tag_id = $4)
    order by s.created_at desc, s.id desc`,
);

export const deleteLink = sql(
  'delete-share-link',
  'delete from share_links where account_id = $1 and mode = $2 and id = $3 returning id',
);

/** Whatever ends a page is looked up with its link, at every request: nothing has to be told to other processes. */
export const findOpen = sql(
  'find-open-share-link',
  `select ${columns}, s.account_id, s.mode, coalesce(c.name, t.name, a.name) as name
     from share_links s join accounts a on a.id = s.account_id
     left join qr_codes c on c.id = s.qr_code_id
     left join tags t on t.id = s.tag_id
    where s.token_hash = $1 and (s.expires_at is null or s.expires_at > $2)
      and a.closed_at is null and a.held_at is null
      and (s.qr_code_id is null or c.status <> 'deleted')
      and not exists (select from suspensions o
                       where o.account_id = s.account_id and o.released_at is null
                         and (o.qr_code_id is null or o.qr_code_id = s.qr_code_id))`,
);

export const publicOf = sql(
  'public-codes-of-share-link',
  `select id from qr_codes c
    where id = any($1::uuid[]) and status <> 'deleted'
      and not exists (select from suspensions o where o.qr_code_id = c.id and o.released_at is null)`,
);

export const deleteOfCodes = sql(
  'delete-share-links-of-codes',
  'delete from share_links where qr_code_id = any($1::uuid[])',
);

export const deleteOfAccount = sql(
  'delete-share-links-of-account',
  'delete from share_links where account_id = $1',
);
