import { defineConfig } from 'vitest/config';
import { withReact } from './vitest.config.ts';

export default defineConfig(withReact('react-18', { 'react-dom': 'react-dom-18', react: 'react-18' }));
