import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ShareLink } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';
import { shareText as text } from '../../strings/share.ts';
import { formatDate } from '../../ui/format.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { periodName } from '../analytics/period-name.ts';

type Props = { readonly links: readonly ShareLink[]; readonly name: string };

/** The links that there are, each with what tells it from the others. */
export function ShareList({ links, name }: Props) {
  const revoke = useMutation({
    mutationFn: ({ id }: ShareLink) => call('revokeShareLink', { params: { id } }),
    onSuccess: async () => {
      notifyDone(text.revoked);
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'share-links' });
    },
    onError: error => notifyProblem(error, text.revokeFailed),
  });
  return (
    <Stack gap="xs">
      <Title order={3} size="sm">
        {text.links}
      </Title>
      {links.map(link => (
        <Paper key={link.id} withBorder p="sm">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <div style={{ minWidth: 0 }}>
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {link.title ?? name}
              </Text>
              <Text size="xs" c="dimmed">
                {[
                  periodOf(link),
                  endOf(link),
                  text.created(formatDate(link.created_at)),
                  text.lastFour(link.last_four),
                ].join(' · ')}
              </Text>
            </div>
            <Button
              size="xs"
              variant="default"
              flex="none"
              loading={revoke.isPending && revoke.variables.id === link.id}
              onClick={() => revoke.mutate(link)}
              aria-label={text.revokeOf(link.title ?? name, link.last_four)}
            >
              {text.revoke}
            </Button>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

function periodOf({ days, start_date: start, end_date: end }: ShareLink): string {
  if (start === null) return text.days(days ?? 0);
  return end === null ? text.since(formatDate(`${start}T00:00:00`)) : periodName({ start, end });
}

/** A link ends with a day. */
function endOf({ expired, expires_at: end }: ShareLink): string {
  if (expired) return text.ended;
  return end === null ? text.noEnd : text.until(formatDate(new Date(Date.parse(end) - 1)));
}
