import type { messages } from './locales/en.ts';

/** The texts of one language: a locale file that lacks one does not compile. @interface */
export type Messages = typeof messages;
