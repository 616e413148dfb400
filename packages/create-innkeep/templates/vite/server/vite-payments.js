import { answerPayments } from './answer-payments.js';

/** Lets Vite's development server answer what the site's server answers. */
export const payments = {
  name: 'payments',
  config: () => ({
    server: { host: '127.0.0.1', port: Number(process.env.PORT ?? 3000), strictPort: true },
  }),
  configureServer({ middlewares }) {
    middlewares.use(answerPayments);
  },
};
