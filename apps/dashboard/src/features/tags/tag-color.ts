import type { Tag } from '@signpost/contract';

/** The colours of tags as shades that stand out on light and dark grounds alike. */
const shades: Readonly<Record<Tag['color'], string>> = {
  gray: 'gray-6',
  red: 'red-6',
  orange: 'orange-6',
  yellow: 'yellow-5',
  green: 'green-6',
  teal: 'cyan-6',
  blue: 'blue-6',
  purple: 'grape-6',
};

export const colorVariable = (color: Tag['color']): string => `var(--mantine-color-${shades[color]})`;
