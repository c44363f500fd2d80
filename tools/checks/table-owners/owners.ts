/**
 * Who writes each table: a folder of apps/server/src. Others read it, and change it by a function of the owner that takes
 * their transaction. The only exceptions are outboxes.
 */
export const owners: Readonly<Record<'postgres' | 'clickhouse', Readonly<Record<string, string>>>> = {
  postgres: {
    plans: 'accounts',
    accounts: 'accounts',
    api_keys: 'accounts',
    account_closures: 'accounts',
    assets: 'designs',
    designs: 'designs',
    auth_users: 'users',
    auth_sessions: 'users',
    auth_credentials: 'users',
    auth_verifications: 'users',
    email_tokens: 'users',
    known_browsers: 'users',
    members: 'users',
    operators: 'users',
    operator_tokens: 'users',
    qr_codes: 'qrcodes',
    code_counts: 'qrcodes',
    count_buckets: 'qrcodes',
    code_edits: 'qrcodes',
    code_targets: 'qrcodes',
    removed_targets: 'qrcodes',
    placements: 'qrcodes',
    saved_views: 'qrcodes',
    tags: 'qrcodes',
    code_tags: 'qrcodes',
    destination_changes: 'qrcodes',
    daily_codes: 'qrcodes',
    link_changes: 'redirect',
    blocked_hosts: 'qrcodes',
    visitor_salts: 'scans',
    scan_logs: 'scans',
    scan_spreads: 'scans',
    spools_left: 'scans',
    log_readers: 'scans',
    scans: 'scans',
    scan_store: 'scans',
    scan_retention: 'scans',
    scan_sums: 'scans',
    scan_counts: 'ingest',
    ingest_positions: 'ingest',
    not_redirected: 'ingest',
    ingest_groups: 'ingest',
    ingest_quarantine: 'ingest',
    scan_batches: 'ingest',
    visitors: 'ingest',
    account_visitors: 'ingest',
    erasures: 'ingest',
    erasure_turns: 'ingest',
    hidden_months: 'ingest',
    webhook_endpoints: 'webhooks',
    webhook_messages: 'webhooks',
    webhook_attempts: 'webhooks',
    webhook_publications: 'webhooks',
    webhook_queue: 'webhooks',
    suspensions: 'moderation',
    stops: 'redirect',
    stop_version: 'redirect',
    reports: 'moderation',
    report_messages: 'moderation',
    list_generations: 'moderation',
    lists: 'moderation',
    listed_hosts: 'moderation',
    listed_urls: 'moderation',
    list_checks: 'moderation',
    idempotency_keys: 'http',
    backups: 'backup',
    // Created by `signpost migrate` itself, not by a migration.
    schema_migrations: 'platform',
  },
  clickhouse: {
    scans: 'scans',
    schema_migrations: 'platform',
  },
};

/**
 * Files that write whatever table their caller names: the ClickHouse client, the deletion of rows of codes, and a restore,
 * which loads a dump whole into stores that are empty. A caller that names a table to the first two writes `table: 'name'`,
 * which counts as a write of the caller.
 */
export const mechanisms: readonly string[] = [
  'platform/clickhouse/clickhouse.ts',
  'platform/clickhouse/lightweight-delete.ts',
  'backup/row-files.ts',
];

/** Tables into which every folder inserts, in the statement that makes a change. Only the owner takes rows out. */
export const outboxes: readonly string[] = ['link_changes'];
