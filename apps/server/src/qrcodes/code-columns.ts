/** What is read of every code `c`, with its row `s` of scan_counts. */
export const columns = `c.id, c.mode, c.number, c.status, c.made_by, c.key_space, c.short_code, c.name, c.destination_url, c.style,
  c.created_at, c.updated_at, c.note, c.external_id, c.metadata, c.starts_at, c.expires_at, c.max_scans,
  c.used_up_at, c.revision, coalesce(s.total_scans, 0) as total_scans, coalesce(s.unique_scans, 0) as unique_scans`;
