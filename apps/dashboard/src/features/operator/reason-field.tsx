import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { kindNames, type ReportKind, suggestedReasons } from './words.ts';

const longest = 500;

type Props = {
  /** What it is the reason for. */
  readonly of: 'code' | 'account';
  /** What strangers have reported: the suggestion that fits it comes first. */
  readonly reported: ReportKind | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly description: string;
  readonly autoFocus?: boolean;
};

/** A reason for the owner to read, with some that fit most cases to click. It begins empty: what strangers say is no reason yet. */
export function ReasonField({ of, reported, value, onChange, error, description, autoFocus = false }: Props) {
  return (
    <Stack gap="xs">
      <Textarea
        label="Reason"
        description={description}
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
        error={error}
        maxLength={longest}
        minRows={3}
        autosize
        maxRows={8}
        {...(autoFocus ? { 'data-autofocus': true } : {})}
      />
      <Group gap={6} role="group" aria-label="Suggested reasons">
        <Text size="xs" c="dimmed">
          Suggestions
        </Text>
        {suggestedReasons(of, reported).map(({ kind, text }) => (
          <Button
            key={kind}
            size="compact-xs"
            variant={value === text ? 'light' : 'default'}
            aria-pressed={value === text}
            onClick={() => onChange(text)}
          >
            {kindNames[kind]}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
