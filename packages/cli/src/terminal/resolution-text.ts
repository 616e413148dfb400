import type { RecordedResolution } from '@innkeep/core/contract';
import { authorText } from './author-text.ts';

/** What somebody found out, who, and how. */
export function resolutionText({ status, by, evidence }: RecordedResolution): string {
  return `${status} by ${authorText(by)}: ${evidence}`;
}
