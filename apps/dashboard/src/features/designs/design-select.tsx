import { Select } from '@mantine/core';
import type { Design } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { designsQuery } from './queries.ts';

type Props = {
  readonly label: string;
  /** The words for no design. */
  readonly own: string;
  readonly description: string;
  readonly value: string | null;
  readonly onChange: (design: Design | null) => void;
};

/** A saved design in place of the code's own; nothing where none is saved. */
export function DesignSelect({ label, own, description, value, onChange }: Props) {
  const { data: designs = [] } = useQuery(designsQuery(useMode()));
  if (designs.length === 0) return null;
  return (
    <Select
      label={label}
      description={description}
      data={[{ value: 'own', label: own }, ...designs.map(({ id, name }) => ({ value: id, label: name }))]}
      value={value ?? 'own'}
      onChange={id => onChange(designs.find(design => design.id === id) ?? null)}
      allowDeselect={false}
    />
  );
}
