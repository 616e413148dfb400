import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { payments } from './server/vite-payments.js';

const elements = ['pay-widget', 'save-card-widget', 'payment-status'];

export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => elements.includes(tag) } } }), payments],
});
