export * from './analytics.ts';
export * from './errors.ts';
export * from './images.ts';
export * from './openapi.ts';
export * from './operations.ts';
export * from './pages.ts';
export * from './qrcodes.ts';
