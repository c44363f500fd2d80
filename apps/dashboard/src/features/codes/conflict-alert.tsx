import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { codesText } from '../../strings/codes.ts';
import classes from './conflict-alert.module.css';

const text = codesText.conflict;

/** A field with the value that was typed and the one that somebody else has saved. */
type Clash = { readonly label: string; readonly mine: string; readonly theirs: string };

type Props = {
  readonly clashes: readonly Clash[];
  readonly isPending: boolean;
  readonly onKeep: () => void;
  readonly onTake: () => void;
};

/** Says that somebody else was first, shows both values, and lets the person choose. */
export function ConflictAlert({ clashes, isPending, onKeep, onTake }: Props) {
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={text.title} role="alert">
      <Stack gap="sm">
        <Text size="sm">{text.text}</Text>
        {clashes.map(({ label, mine, theirs }) => (
          <div key={label}>
            <Text size="sm" fw={600}>
              {label}
            </Text>
            <dl className={classes.values}>
              <dt>{text.mine}</dt>
              <dd>{mine || text.nothing}</dd>
              <dt>{text.theirs}</dt>
              <dd>{theirs || text.nothing}</dd>
            </dl>
          </div>
        ))}
        <Group gap="sm">
          <Button size="xs" loading={isPending} onClick={onKeep}>
            {text.keep}
          </Button>
          <Button size="xs" variant="default" disabled={isPending} onClick={onTake}>
            {text.take}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
