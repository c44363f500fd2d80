import { Badge, Group, Stack, Text } from '@mantine/core';
import type { OperatorAccount } from '@signpost/contract';
import { formatDate } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';

/** Who signs in to an account, and whether their address is known to be theirs. */
export function AccountPeople({ people }: Pick<OperatorAccount, 'people'>) {
  return (
    <Panel title="People">
      {people.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nobody signs in to this account. It is used by API alone.
        </Text>
      ) : (
        <Stack gap="md">
          {people.map(person => (
            <div key={person.email}>
              <Group gap="xs">
                <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {person.email}
                </Text>
                <Badge
                  color={person.email_verified ? 'signpost' : 'orange'}
                  variant="light"
                  tt="none"
                  fw={600}
                  miw="fit-content"
                >
                  {person.email_verified ? 'Confirmed' : 'Not confirmed'}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {person.name}, since {formatDate(person.created_at)}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Panel>
  );
}
