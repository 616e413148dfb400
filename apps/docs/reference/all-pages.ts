/** A page made from source: an address such as `reference/errors`, and Markdown without the first heading. */
export interface ReferencePage {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
}

/** Every page of the reference, in the order of the side bar. */
export async function referencePages(): Promise<readonly ReferencePage[]> {
  return [];
}
