/** What a person at a reception can be allowed to do, and the scopes that a key needs for it. */
import * as v from 'valibot';
import { component } from './component.ts';
import type { Scope } from './key.ts';

/** What a desk session can be allowed to do. */
export const DESK_FEATURES = [
  /** Reading payments, and following what changes. */
  'read',
  /** Refunding payments, in full or in part. */
  'reverse',
  /** Charging a stored card by the session that stored it. */
  'charge',
  /** Creating payment links, and taking them back. */
  'link',
  /** Ending an uncertain outcome with evidence. */
  'resolve',
  /** Payments as a table. */
  'export',
] as const;

/** One of {@link DESK_FEATURES}. */
export type DeskFeature = (typeof DESK_FEATURES)[number];

/** One of {@link DESK_FEATURES}. */
export const DeskFeatureSchema = component('DeskFeature', v.picklist(DESK_FEATURES), {
  description: 'What a desk session is allowed to do.',
});

/** The scope that a key needs for each feature that it grants, and while the feature is used. */
export const DESK_FEATURE_SCOPES: Readonly<Record<DeskFeature, Scope>> = {
  read: 'read',
  reverse: 'reversals',
  charge: 'charges',
  link: 'checkout',
  resolve: 'resolutions',
  export: 'read',
};
