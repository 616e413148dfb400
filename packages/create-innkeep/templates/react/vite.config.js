import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { payments } from './server/vite-payments.js';

export default defineConfig({ plugins: [react(), payments] });
