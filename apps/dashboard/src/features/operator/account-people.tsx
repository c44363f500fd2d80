import { Badge, Group, Stack, Text } from '@mantine/core';
import type { OperatorAccount } from '@signpost/contract';
import { operatorText } from '../../strings/operator.ts';
import { formatDate } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';

const text = operatorText.account;

/** Who signs in to an account, and whether their address is known to be theirs. */
export function AccountPeople({ people }: Pick<OperatorAccount, 'people'>) {
  return (
    <Panel title={text.people}>
      {people.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.nobody}
        </Text>
      ) : (
        <Stack gap="md">
          {people.map(person => (
            <div key={person.email}>
              <Group gap="xs">
                <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                  {person.email}
                </Text>
                <Badge
                  color={person.email_verified ? 'signpost' : 'orange'}
                  variant="light"
                  tt="none"
                  fw={500}
                  miw="fit-content"
                >
                  {person.email_verified ? text.confirmed : text.notConfirmed}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {text.personSince(person.name, formatDate(person.created_at))}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Panel>
  );
}
