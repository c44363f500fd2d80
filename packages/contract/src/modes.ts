export const modeWords = ['live', 'test'] as const;
