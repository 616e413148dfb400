import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { payments } from './server/vite-payments.js';

export default defineConfig({ plugins: [svelte(), payments] });
