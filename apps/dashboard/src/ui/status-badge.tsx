import { Badge } from '@mantine/core';
import { commonText } from '../strings/common.ts';

const words = commonText.status;

const looks: Readonly<Record<string, { color: string; label: string }>> = {
  active: { color: 'signpost', label: words.active },
  paused: { color: 'orange', label: words.paused },
  draft: { color: 'gray', label: words.draft },
  archived: { color: 'gray', label: words.archived },
  deleted: { color: 'gray', label: words.deleted },
  // Not the owner's doing, so these stand beside what the owner has set.
  suspended: { color: 'red', label: words.suspended },
  held: { color: 'orange', label: words.held },
};

export function StatusBadge({ status }: { readonly status: string }) {
  const { color, label } = looks[status] ?? { color: 'gray', label: status };
  return (
    <Badge miw="fit-content" color={color} variant="light" tt="none" fw={500}>
      {label}
    </Badge>
  );
}
