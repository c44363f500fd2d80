import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { maxReasonLength } from '@signpost/contract/values.ts';
import { operatorText } from '../../strings/operator.ts';
import { kindNames, type ReportKind, suggestedReasons } from './words.ts';

const text = operatorText.reason;

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
        label={text.label}
        description={description}
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
        error={error}
        maxLength={maxReasonLength}
        minRows={3}
        autosize
        maxRows={8}
        {...(autoFocus ? { 'data-autofocus': true } : {})}
      />
      <Group gap={6} role="group" aria-label={text.suggested}>
        <Text size="xs" c="dimmed">
          {text.suggestions}
        </Text>
        {suggestedReasons(of, reported).map(({ kind, text: reason }) => (
          <Button
            key={kind}
            size="compact-xs"
            variant={value === reason ? 'light' : 'default'}
            aria-pressed={value === reason}
            onClick={() => onChange(reason)}
          >
            {kindNames[kind]}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
