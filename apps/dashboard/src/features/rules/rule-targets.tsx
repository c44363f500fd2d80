import { ActionIcon, Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { rulesText as text } from '../../strings/rules.ts';
import { destinationFault, withScheme } from '../codes/destination.ts';
import { nextNumber, type TargetDraft } from './draft.ts';
import classes from './rules.module.css';

const maxTargets = 10;

type Props = {
  readonly targets: readonly TargetDraft[];
  readonly isTried: boolean;
  readonly onChange: (targets: readonly TargetDraft[]) => void;
};

/** Where a rule leads; among several destinations people are split by weight. */
export function RuleTargets({ targets, isTried, onChange }: Props) {
  const set = (number: number, part: Partial<TargetDraft>) =>
    onChange(targets.map(target => (target.number === number ? { ...target, ...part } : target)));
  const isSplit = targets.length > 1;
  return (
    <fieldset className={classes.part}>
      <legend>{text.leadsTo}</legend>
      <Stack gap="xs">
        {targets.map(({ number, url, weight }, at) => (
          <Group key={number} gap="xs" wrap="nowrap" align="flex-start">
            <TargetField
              label={text.targetOf(at + 1)}
              url={url}
              isTried={isTried}
              onChange={next => set(number, { url: next })}
            />
            {isSplit && (
              <>
                <NumberInput
                  aria-label={text.weightOf(at + 1)}
                  min={1}
                  max={10_000}
                  w={90}
                  value={weight}
                  onChange={value => set(number, { weight: Math.max(1, Math.round(Number(value) || 1)) })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={text.removeTarget(at + 1)}
                  onClick={() => onChange(targets.filter(target => target.number !== number))}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </>
            )}
          </Group>
        ))}
        {isSplit && (
          <Text size="xs" c="dimmed">
            {text.splitHint}
          </Text>
        )}
        {targets.length < maxTargets && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            style={{ alignSelf: 'flex-start' }}
            onClick={() =>
              onChange([...targets, { number: nextNumber(targets), url: '', weight: 1, label: '' }])
            }
          >
            {text.addTarget}
          </Button>
        )}
      </Stack>
    </fieldset>
  );
}

type FieldProps = {
  readonly label: string;
  readonly url: string;
  readonly isTried: boolean;
  readonly onChange: (url: string) => void;
};

/** An address with or without https://. What is wrong with it is said once the field is left. */
function TargetField({ label, url, isTried, onChange }: FieldProps) {
  const [isLeft, setLeft] = useState(false);
  const fault = isTried || (isLeft && url.trim() !== '') ? destinationFault(url) : null;
  return (
    <TextInput
      inputMode="url"
      aria-label={label}
      placeholder={text.urlPlaceholder}
      value={url}
      error={fault}
      onChange={event => onChange(event.currentTarget.value)}
      onFocus={() => setLeft(false)}
      onBlur={() => {
        setLeft(true);
        const whole = withScheme(url);
        if (whole !== url) onChange(whole);
      }}
      style={{ flex: 1, minWidth: 0 }}
      autoCapitalize="off"
      autoComplete="off"
      spellCheck={false}
    />
  );
}
