#!/usr/bin/env node
import './node-version.js';

await import('./src/main.ts');
