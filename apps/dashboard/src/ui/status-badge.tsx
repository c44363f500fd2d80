import { Badge } from '@mantine/core';

const looks: Readonly<Record<string, { color: string; label: string }>> = {
  active: { color: 'signpost', label: 'Active' },
  paused: { color: 'orange', label: 'Paused' },
  draft: { color: 'gray', label: 'Draft' },
  deleted: { color: 'gray', label: 'Deleted' },
  // Not the owner's doing, so these stand beside what the owner has set.
  suspended: { color: 'red', label: 'Suspended' },
  held: { color: 'orange', label: 'Waiting for e-mail' },
};

export function StatusBadge({ status }: { readonly status: string }) {
  const { color, label } = looks[status] ?? { color: 'gray', label: status };
  return (
    <Badge miw="fit-content" color={color} variant="light" tt="none" fw={600}>
      {label}
    </Badge>
  );
}
