import { Group, Input, SegmentedControl, Text } from '@mantine/core';

type Props<Value extends string> = {
  readonly label: string;
  readonly names: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly hint?: string;
  /** What cannot be chosen at present. */
  readonly disabled?: readonly Value[];
};

/** A few words to choose from, under what they are about. */
export function LabelledChoice<Value extends string>({
  label,
  names,
  value,
  onChange,
  hint,
  disabled = [],
}: Props<Value>) {
  return (
    <div>
      <Input.Label labelElement="div">{label}</Input.Label>
      <Group gap="sm">
        <SegmentedControl
          aria-label={label}
          value={value}
          onChange={next => onChange(next as Value)}
          data={Object.entries<string>(names).map(([name, shown]) => ({
            value: name,
            label: shown,
            disabled: (disabled as readonly string[]).includes(name),
          }))}
        />
        {hint && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
      </Group>
    </div>
  );
}
