export * from './grade.ts';
export * from './style.ts';
